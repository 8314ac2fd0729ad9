import type { Readable } from 'node:stream';
import {
  catchError,
  defer,
  EMPTY,
  filter,
  identity,
  type MonoTypeOperatorFunction,
  mergeMap,
  type Observable,
  type OperatorFunction,
  takeUntil,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { alongside } from '../../audio/alongside.ts';
import { chunk } from '../../audio/chunk.ts';
import type { AudioBlock } from '../../audio/format/format.ts';
import { type AudioLevel, level } from '../../audio/level.ts';
import { pace } from '../../audio/pace.ts';
import { resample } from '../../audio/resample/resample.ts';
import { fromFile } from '../../audio/source/file.ts';
import { type MicrophoneOptions, microphone } from '../../audio/source/microphone.ts';
import { fromReadable } from '../../audio/source/readable.ts';
import type { SourceStatus } from '../../audio/source/reconnecting.ts';
import { RxscribeError } from '../../base/errors.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { LiveInput } from '../flags/liveOptions.ts';
import { mediaName } from '../flags/mediaArgument.ts';
import type { ProgressLine } from '../print/progressLine.ts';
import { fromAddress } from './addressAudio.ts';

export interface LiveAudioOptions {
  readonly stdin: Readable;
  /** Hz. */
  readonly rate: number;
  readonly channels: number;
  readonly speed: number | 'max';
  readonly onWarning: (warning: { readonly code: string; readonly message: string }) => void;
  /** Called when a live source is lost, back, silent or audible again. Default: each of them is a warning. */
  readonly onStatus?: (status: SourceStatus) => void;
  /** Called with the level of each block, of 100 ms. */
  readonly onLevel?: (level: AudioLevel) => void;
  /** Line that shows the fetching of an address. */
  readonly progress: Pick<ProgressLine, 'show' | 'hide'>;
  /** Called when the audio fails after it began; the audio then completes, so that its captions are finished first. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Emits the audio of an input in blocks of 100 ms, at the given rate and speed.
 *
 * @throws the error of an input that fails before its first block
 */
export function liveAudio(input: LiveInput, options: LiveAudioOptions): Observable<AudioBlock> {
  const { stdin, rate: sampleRate, channels, speed, progress, onWarning, onFailure, onLevel } = options;
  const onWarningOf = ({ type, message, isOther }: SourceStatus) => {
    if (type !== 'device' || isOther) onWarning({ code: `source-${type}`, message });
  };
  const { onStatus = onWarningOf } = options;
  const shape = (audio$: Observable<AudioBlock>, isLive: boolean) => {
    const shaped$ = audio$.pipe(
      endAtFailure(onFailure),
      resample({ sampleRate, channels, onWarning }),
      chunk(),
      onLevel ? level(onLevel) : identity,
    );
    // Live audio has its own pace.
    return isLive ? shaped$ : shaped$.pipe(pace({ speed }));
  };
  switch (input.kind) {
    case 'file':
      return shape(fromFile(input.path, { onWarning }), false);
    case 'stdin':
      return shape(fromReadable(stdin, { onWarning }), false);
    case 'address': {
      const task = `fetching ${mediaName(input.url)}`;
      const onFetch = (fraction: number) => (fraction < 1 ? progress.show(task, fraction) : progress.hide());
      return fromAddress(input.url, { sampleRate, channels, onWarning, onStatus, onFetch, shape });
    }
    case 'microphone': {
      const { device, also } = input;
      const common = { sampleRate, reconnect: true, onWarning } as const;
      if (also === undefined) return shape(recorded({ ...common, device, channels, onStatus }), true);
      // A call may be silent for long, and the captions of the room go on without it.
      const second = { device: also, silenceSeconds: Number.POSITIVE_INFINITY, onStatus: onWarningOf };
      const call$ = recorded({ ...common, ...second });
      return shape(recorded({ ...common, device, onStatus }).pipe(chunk(), alongside(call$)), true);
    }
  }
}

function recorded(options: MicrophoneOptions): Observable<AudioBlock> {
  return microphone(options).pipe(catchError(error => throwError(() => asDeviceError(error))));
}

/** Converts the timeout of a silent recorder to an error of the input: otherwise the exit code would blame the service. */
function asDeviceError(error: unknown): unknown {
  const isStall = error instanceof RxscribeError && error.code === 'timeout';
  return isStall ? new RxscribeError('audio-device', error.message, { cause: error }) : error;
}

/** Milliseconds for the signal of Ctrl-C to arrive, which also ends the recorder, before its end is an error. */
const SIGNAL_MS = 100;

function endAtFailure(onFailure: (error: unknown) => void): MonoTypeOperatorFunction<AudioBlock> {
  return audio$ =>
    defer(() => {
      let hasAudio = false;
      const end = (error: unknown) => {
        if (!hasAudio) throw error;
        onFailure(error);
        return EMPTY;
      };
      return audio$.pipe(
        tap(() => {
          hasAudio = true;
        }),
        catchError(error => timer(SIGNAL_MS).pipe(mergeMap(() => end(error)))),
      );
    });
}

export interface InterruptibleOptions {
  /** Transcribes the audio, and completes when all of it has a result. */
  readonly live: OperatorFunction<AudioBlock, LiveEvent>;
  readonly interrupted$: Observable<unknown>;
  /** Set to true here when the audio has ended. */
  readonly sourceOver$: { readonly value: boolean; next(isOver: boolean): void };
}

/**
 * Transcribes audio to its end, or to the first interruption, after which the last final still arrives; the next interruption
 * ends this wait.
 */
export function untilInterrupted(options: InterruptibleOptions): OperatorFunction<AudioBlock, LiveEvent> {
  const { live, interrupted$, sourceOver$ } = options;
  return audio$ =>
    audio$.pipe(
      takeUntil(interrupted$),
      tap({ complete: () => sourceOver$.next(true) }),
      live,
      // Subscribed before the source: the interruption that ends the source must not end the wait as well.
      takeUntil(interrupted$.pipe(filter(() => sourceOver$.value))),
    );
}

import {
  catchError,
  defer,
  EMPTY,
  type MonoTypeOperatorFunction,
  mergeMap,
  type Observable,
  tap,
  timer,
} from 'rxjs';
import { chunk } from '../../audio/chunk.ts';
import type { AudioBlock } from '../../audio/format/format.ts';
import { pace } from '../../audio/pace.ts';
import { resample } from '../../audio/resample/resample.ts';
import type { AudioWarning } from '../../audio/source/blockSource.ts';
import { fromFile } from '../../audio/source/file.ts';
import { microphone } from '../../audio/source/microphone.ts';
import { fromReadable } from '../../audio/source/readable.ts';
import { RxscribeError } from '../../base/errors.ts';
import type { Gate } from '../../flow/gate.ts';
import { mediaName } from '../flags/mediaArgument.ts';
import type { ProgressLine } from '../print/progressLine.ts';
import { fromAddress } from './addressAudio.ts';

/** Where the audio comes from. */
export type CaptionInput =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'stdin' }
  | { readonly kind: 'microphone'; readonly device?: string };

export interface CaptionAudioOptions {
  /** Hz. */
  readonly rate: number;
  readonly channels: number;
  readonly speed: number | 'max';
  readonly gate: Gate;
  readonly onWarning: (warning: AudioWarning) => void;
  /** Where an address is shown as it is fetched. */
  readonly progress: Pick<ProgressLine, 'show' | 'hide'>;
  /** Told why the audio ends before its time, after there was some: what came of it is to be heard first. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * The audio of an input as it is streamed: in blocks of 100 ms, at the rate and speed asked for. Where some came before it
 * fails, as of a recorder that dies, it completes, and `onFailure` is told.
 */
export function captionAudio(input: CaptionInput, options: CaptionAudioOptions): Observable<AudioBlock> {
  const { rate, channels, speed, gate, onFailure } = options;
  const audio$ = sourceOf(input, options).pipe(
    endAtFailure(onFailure),
    resample({ sampleRate: rate, channels }),
    chunk(),
  );
  // A microphone has its own pace.
  return input.kind === 'microphone' ? audio$ : audio$.pipe(pace({ speed, gate }));
}

function sourceOf(input: CaptionInput, options: CaptionAudioOptions): Observable<AudioBlock> {
  const { rate, channels, gate, onWarning, progress } = options;
  switch (input.kind) {
    case 'file':
      return fromFile(input.path, { gate, onWarning });
    case 'address': {
      const what = `fetching ${mediaName(input.url)}`;
      const onFetch = (fraction: number) => (fraction < 1 ? progress.show(what, fraction) : progress.hide());
      return fromAddress(input.url, { gate, onWarning, onFetch });
    }
    case 'stdin':
      return fromReadable(process.stdin, { gate, onWarning });
    case 'microphone':
      return microphone({ device: input.device, sampleRate: rate, channels, onWarning }).pipe(
        catchError(error => {
          throw asDeviceError(error);
        }),
      );
  }
}

/** A recorder that gives nothing is an input that cannot be read, not a service that does not answer. */
function asDeviceError(error: unknown): unknown {
  const isStall = error instanceof RxscribeError && error.code === 'timeout';
  return isStall ? new RxscribeError('audio-device', error.message, { cause: error }) : error;
}

/** Ctrl-C in a terminal ends the recorder as well: time for the signal to arrive here, before that is an error. */
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

import { catchError, type MonoTypeOperatorFunction, map, type Observable, timer } from 'rxjs';
import type { AudioWarning } from '../audio/blockSource.ts';
import { chunk } from '../audio/chunk.ts';
import { fromFile } from '../audio/file.ts';
import type { AudioBlock } from '../audio/format.ts';
import { microphone } from '../audio/microphone.ts';
import { pace } from '../audio/pace.ts';
import { fromReadable } from '../audio/readable.ts';
import { resample } from '../audio/resample.ts';
import type { Gate } from '../flow/gate.ts';
import { fromAddress } from './addressAudio.ts';
import { mediaName } from './mediaArgument.ts';
import type { ProgressLine } from './progressLine.ts';

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
}

/** The audio of an input as it is streamed: in blocks of 100 ms, at the rate and speed asked for. */
export function captionAudio(input: CaptionInput, options: CaptionAudioOptions): Observable<AudioBlock> {
  const { rate, channels, speed, gate, onWarning, progress } = options;
  const shaped = (source$: Observable<AudioBlock>) =>
    source$.pipe(resample({ sampleRate: rate, channels }), chunk());
  switch (input.kind) {
    case 'file':
      return shaped(fromFile(input.path, { gate, onWarning })).pipe(pace({ speed, gate }));
    case 'address': {
      const what = `fetching ${mediaName(input.url)}`;
      const onFetch = (fraction: number) => (fraction < 1 ? progress.show(what, fraction) : progress.hide());
      return shaped(fromAddress(input.url, { gate, onWarning, onFetch })).pipe(pace({ speed, gate }));
    }
    case 'stdin':
      return shaped(fromReadable(process.stdin, { gate, onWarning })).pipe(pace({ speed, gate }));
    case 'microphone':
      // It has its own pace.
      return shaped(microphone({ device: input.device, sampleRate: rate, channels, onWarning })).pipe(
        failLater(),
      );
  }
}

/** Ctrl-C in a terminal ends the recorder as well: time for the signal to arrive here, before that is an error. */
const SIGNAL_MS = 100;

function failLater(): MonoTypeOperatorFunction<AudioBlock> {
  return catchError(error =>
    timer(SIGNAL_MS).pipe(
      map(() => {
        throw error;
      }),
    ),
  );
}

import type { Observable } from 'rxjs';
import { chunk } from '../audio/chunk.ts';
import { fromFile } from '../audio/file.ts';
import type { AudioBlock } from '../audio/format.ts';
import { microphone } from '../audio/microphone.ts';
import { pace } from '../audio/pace.ts';
import { fromReadable } from '../audio/readable.ts';
import { resample } from '../audio/resample.ts';
import type { Gate } from '../flow/gate.ts';

/** Where the audio comes from. */
export type CaptionInput =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'stdin' }
  | { readonly kind: 'microphone'; readonly device?: string };

export interface CaptionAudioOptions {
  /** Hz. */
  readonly rate: number;
  readonly channels: number;
  readonly speed: number | 'max';
  readonly gate: Gate;
}

/** The audio of an input as it is streamed: in blocks of 100 ms, at the rate and speed asked for. */
export function captionAudio(input: CaptionInput, options: CaptionAudioOptions): Observable<AudioBlock> {
  const { rate, channels, speed, gate } = options;
  const shaped$ = openInput(input, options).pipe(resample({ sampleRate: rate, channels }), chunk());
  // A microphone has its own pace.
  return input.kind === 'microphone' ? shaped$ : shaped$.pipe(pace({ speed, gate }));
}

function openInput(
  input: CaptionInput,
  { rate, channels, gate }: CaptionAudioOptions,
): Observable<AudioBlock> {
  switch (input.kind) {
    case 'file':
      return fromFile(input.path, { gate });
    case 'stdin':
      return fromReadable(process.stdin, { gate });
    case 'microphone':
      return microphone({ device: input.device, sampleRate: rate, channels });
  }
}

import { fileBlocks } from '../../audio/file.ts';
import { toInt16 } from '../../audio/pcm.ts';
import { remix } from '../../audio/remix.ts';
import { createResampler, type Resampler } from '../../audio/resampler.ts';

export interface MediaAudioOptions {
  /** Hz of what comes out. */
  readonly sampleRate: number;
  readonly signal: AbortSignal;
  /** Told after each piece how many seconds of media there were so far. */
  readonly onSeconds?: (seconds: number) => void;
}

/**
 * What an engine takes, of a media file: mono, 16 bits, at the engine's rate, no more than is asked for.
 *
 * @throws RxscribeError as `fromFile`
 */
export async function* mediaAudio(path: string, options: MediaAudioOptions): AsyncGenerator<Int16Array> {
  const { sampleRate: outputRate, signal, onSeconds } = options;
  let resampler: Resampler | undefined;
  let seconds = 0;
  for await (const { samples, channels, sampleRate } of fileBlocks(path, { signal, onWarning: () => {} })) {
    resampler ??= createResampler({ inputRate: sampleRate, outputRate, channels: 1 });
    yield toInt16(resampler.process(remix(samples, channels, 1)));
    seconds += samples.length / channels / sampleRate;
    onSeconds?.(seconds);
  }
  if (resampler) yield toInt16(resampler.flush());
}

import { RxscribeError } from '../../base/errors.ts';
import { remix } from '../format/channels.ts';
import { type AudioBlock, framesOf } from '../format/format.ts';
import { createResampler, type Resampler } from '../resample/resampler.ts';
import type { Samples } from './nativeAudio.ts';

/**
 * Numbers the frames of a stream and converts all of it to the sample rate and the number of channels with which it begins:
 * several recordings in a row may differ.
 *
 * @throws RxscribeError `audio-unsupported` for a change to or from a rate that cannot be resampled
 */
export async function* inOneFormat(parts: AsyncIterable<Samples>): AsyncGenerator<AudioBlock> {
  let format: Pick<Samples, 'sampleRate' | 'channels'> | undefined;
  let inputRate = 0;
  let resampler: Resampler | undefined;
  let startFrame = 0;
  const blockOf = (samples: Float32Array): AudioBlock[] => {
    if (samples.length === 0) return [];
    const { sampleRate, channels } = format!;
    const block = { startFrame, sampleRate, channels, samples };
    startFrame += framesOf(block);
    return [block];
  };
  for await (const part of parts) {
    if (!format) {
      format = { sampleRate: part.sampleRate, channels: part.channels };
      inputRate = part.sampleRate;
    }
    if (part.sampleRate !== inputRate) {
      if (resampler) yield* blockOf(resampler.flush());
      inputRate = part.sampleRate;
      resampler = inputRate === format.sampleRate ? undefined : resamplerFor(inputRate, format);
    }
    const samples = withChannels(part, format.channels);
    yield* blockOf(resampler ? resampler.process(samples) : samples);
  }
  if (resampler) yield* blockOf(resampler.flush());
}

function resamplerFor(inputRate: number, { sampleRate, channels }: Omit<Samples, 'samples'>): Resampler {
  try {
    return createResampler({ inputRate, outputRate: sampleRate, channels });
  } catch (cause) {
    const message = `Cannot read audio: its sample rate changes from ${sampleRate} to ${inputRate} Hz.`;
    throw new RxscribeError('audio-unsupported', message, { cause });
  }
}

function withChannels({ samples, channels }: Samples, wanted: number): Float32Array {
  if (channels === wanted || channels === 1 || wanted === 1) return remix(samples, channels, wanted);
  return remix(remix(samples, channels, 1), 1, wanted);
}

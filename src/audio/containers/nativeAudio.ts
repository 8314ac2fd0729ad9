import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import type { OnAudioWarning } from '../format/audioWarning.ts';
import { interleave } from '../format/channels.ts';
import { type AudioBlock, framesOf } from '../format/format.ts';
import { createRemix, type Remix } from '../format/remix.ts';
import { createResampler, type Resampler } from '../resample/resampler.ts';
import type { ByteReader } from './byteReader.ts';

/** A run of decoded samples. */
export type Samples = Pick<AudioBlock, 'samples' | 'sampleRate' | 'channels'>;

/** Audio whose header has been read. */
export interface NativeAudio {
  /** Returns the length as the header announces it, given the bytes of the file that follow; undefined when it does not. */
  seconds(restBytes: number): number | undefined;
  /** Decodes the audio. Damage that can be passed over is added to the log. Can be called once. */
  read(): AsyncGenerator<Samples>;
  /** The damage found so far. */
  readonly log: DamageLog;
}

/**
 * Reads the header of a container. Resolves with undefined when its codec is not read natively.
 *
 * @throws RxscribeError `audio-corrupt` when the header cannot be read
 */
export type OpenNative = (bytes: ByteReader) => Promise<NativeAudio | undefined>;

/** The damage found in one stream. */
export class DamageLog {
  /** Runs of bytes or packets that were left out. */
  places = 0;
  /** Description of a missing end, such as `the last frame is incomplete`. */
  missingEnd: string | undefined;
  /** Bytes after the audio that could not be read. */
  unreadBytes = 0;
  /** Bytes passed over since the last intact part; zeros at their beginning do not count. */
  #skippedBytes = 0;

  add(): void {
    this.places++;
  }

  /** Adds bytes that are passed over, before the next call of {@link resume} or {@link end}. */
  skip(bytes: Uint8Array): void {
    if (this.#skippedBytes > 0 || bytes.some(byte => byte !== 0)) this.#skippedBytes += bytes.length;
  }

  /** Adds the skipped bytes, if any, as damage: an intact part follows. */
  resume(): void {
    if (this.#skippedBytes > 0) this.places++;
    this.#skippedBytes = 0;
  }

  /** Adds the skipped bytes, if any, as unread: nothing follows. */
  end(): void {
    this.unreadBytes += this.#skippedBytes;
    this.#skippedBytes = 0;
  }
}

/** Returns the error for a container whose data cannot be read. */
export function corrupt(container: string, problem: string): RxscribeError {
  return new RxscribeError('audio-corrupt', `Cannot read ${container}: ${problem}.`);
}

/** Converts channels of equal length to interleaved samples. */
export function interleaved(channelData: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array(0)] = channelData;
  if (channelData.length === 1) return first;
  const planar = new Float32Array(channelData.length * first.length);
  for (const [channel, samples] of channelData.entries()) planar.set(samples, channel * samples.length);
  return interleave(planar, channelData.length);
}

/** Returns a part of a run of samples, in frames. */
export function sliceOf({ samples, channels, ...format }: Samples, from: number, to: number): Samples {
  return { ...format, channels, samples: samples.subarray(from * channels, to * channels) };
}

/** Returns the frames of a run of samples. */
export function countFrames({ samples, channels }: Samples): number {
  return samples.length / channels;
}

/**
 * Numbers the frames of a stream and converts all of it to the sample rate and the number of channels with which it begins:
 * several recordings in a row may differ. Samples of a rate that cannot be resampled to it are left out, and added to the log.
 */
export async function* inOneFormat(
  parts: AsyncIterable<Samples>,
  { log, onWarning }: { readonly log: DamageLog; readonly onWarning: OnAudioWarning },
): AsyncGenerator<AudioBlock> {
  let format: Pick<Samples, 'sampleRate' | 'channels'> | undefined;
  let remix: Remix | undefined;
  let inputRate = 0;
  let resampler: Resampler | undefined;
  let isLeftOut = false;
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
      isLeftOut = !resampler && inputRate !== format.sampleRate;
      if (isLeftOut) log.add();
    }
    if (isLeftOut) continue;
    remix ??= createRemix(format.channels, onWarning);
    const samples = remix(part.samples, part.channels);
    yield* blockOf(resampler ? resampler.process(samples) : samples);
  }
  if (resampler) yield* blockOf(resampler.flush());
}

/** Returns undefined for rates that cannot be converted. */
function resamplerFor(
  inputRate: number,
  { sampleRate, channels }: Omit<Samples, 'samples'>,
): Resampler | undefined {
  try {
    return createResampler({ inputRate, outputRate: sampleRate, channels });
  } catch (error) {
    if (error instanceof InvalidArgumentError) return undefined;
    throw error;
  }
}

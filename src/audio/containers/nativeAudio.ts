import { RxscribeError } from '../../base/errors.ts';
import { interleave } from '../format/channels.ts';
import type { AudioBlock } from '../format/format.ts';
import type { ByteReader } from './byteReader.ts';

/** A run of decoded samples. */
export type Samples = Pick<AudioBlock, 'samples' | 'sampleRate' | 'channels'>;

/** Audio whose header has been read. */
export interface NativeAudio {
  /** Returns the length as the header announces it, given the bytes of the file that follow; undefined when it does not. */
  seconds(restBytes: number): number | undefined;
  /** Decodes the audio. Damage that can be passed over is added to the log. Can be called once. */
  read(log: DamageLog): AsyncGenerator<Samples>;
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

  add(): void {
    this.places++;
  }
}

/** Returns the error for a container whose data cannot be read. */
export function corrupt(container: string, problem: string): RxscribeError {
  return new RxscribeError('audio-corrupt', `Cannot read ${container}: ${problem}.`);
}

/** Converts channels of equal length to interleaved samples. */
export function interleaved(channelData: readonly Float32Array[]): Float32Array {
  if (channelData.length === 1) return channelData[0]!;
  const planar = new Float32Array(channelData.length * channelData[0]!.length);
  channelData.forEach((samples, channel) => {
    planar.set(samples, channel * samples.length);
  });
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

import { InvalidArgumentError } from '../base/errors.ts';

/**
 * Interleaved samples of one message in the `non-interleaved` layout, where all samples of a channel stand together.
 *
 * @throws InvalidArgumentError when the channels are not of equal length
 */
export function interleave(planar: Float32Array, channels: number): Float32Array {
  if (planar.length % channels !== 0) {
    throw new InvalidArgumentError(
      `interleave: wanted ${channels} channels of equal length, found ${planar.length} samples`,
    );
  }
  if (channels === 1) return planar;
  const frames = planar.length / channels;
  const interleaved = new Float32Array(planar.length);
  for (let channel = 0; channel < channels; channel++) {
    const offset = channel * frames;
    for (let frame = 0; frame < frames; frame++) {
      interleaved[frame * channels + channel] = planar[offset + frame]!;
    }
  }
  return interleaved;
}

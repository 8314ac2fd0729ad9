import { InvalidArgumentError } from '../../base/errors.ts';

/** Returns the samples of one channel, counted from 0, of interleaved samples. */
export function channelOf(samples: Float32Array, channels: number, channel: number): Float32Array {
  if (channels === 1 && channel === 0) return samples;
  if (!(Number.isInteger(channel) && channel >= 0 && channel < channels)) {
    throw new InvalidArgumentError(`Channel ${channel} does not exist (channels: 0 to ${channels - 1}).`);
  }
  const mono = new Float32Array(samples.length / channels);
  for (let frame = 0, at = channel; frame < mono.length; frame++, at += channels) mono[frame] = samples[at]!;
  return mono;
}

/**
 * Converts the samples of one message from the `non-interleaved` layout, which has the channels one after the other, to the
 * interleaved one.
 *
 * @throws InvalidArgumentError when the channels are not of equal length
 */
export function interleave(planar: Float32Array, channels: number): Float32Array {
  if (planar.length % channels !== 0) {
    throw new InvalidArgumentError(
      `${planar.length} samples cannot be ${channels} channels of equal length.`,
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

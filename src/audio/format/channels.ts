import { InvalidArgumentError } from '../../base/errors.ts';

/**
 * Changes the number of channels of interleaved samples: several become one by their mean, one becomes several by copying.
 *
 * @throws InvalidArgumentError for any other change
 */
export function remix(samples: Float32Array, channels: number, wantedChannels: number): Float32Array {
  if (channels === wantedChannels) return samples;
  if (wantedChannels === 1) return mixDown(samples, channels);
  if (channels === 1) return repeat(samples, wantedChannels);
  throw new InvalidArgumentError(
    `Cannot make ${wantedChannels} channels of ${channels}: only 1 channel can be copied, and only 1 can be mixed down to.`,
  );
}

function mixDown(samples: Float32Array, channels: number): Float32Array {
  const mono = new Float32Array(samples.length / channels);
  for (let frame = 0, at = 0; frame < mono.length; frame++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += samples[at++]!;
    mono[frame] = sum / channels;
  }
  return mono;
}

function repeat(mono: Float32Array, channels: number): Float32Array {
  const samples = new Float32Array(mono.length * channels);
  for (let frame = 0; frame < mono.length; frame++) {
    samples.fill(mono[frame]!, frame * channels, (frame + 1) * channels);
  }
  return samples;
}

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

import type { OnAudioWarning } from './audioWarning.ts';

/** Changes the number of channels of the next interleaved samples of a stream. */
export type Remix = (samples: Float32Array, channels: number) => Float32Array;

/**
 * Creates a conversion of one stream to a number of channels: several become one by their mean, one becomes several by copying.
 *
 * Where channels are inverse to each other, so that their mean is far quieter than they are, the loudest of them takes its place,
 * and one warning says so. The result does not depend on how the stream is cut.
 */
export function createRemix(wantedChannels: number, onWarning: OnAudioWarning): Remix {
  const mix = createMix(onWarning);
  return (samples, channels) => {
    if (channels === wantedChannels) return samples;
    const mono = channels === 1 ? samples : mix(samples, channels);
    return wantedChannels === 1 ? mono : repeat(mono, wantedChannels);
  };
}

function repeat(mono: Float32Array, channels: number): Float32Array {
  const samples = new Float32Array(mono.length * channels);
  for (let frame = 0; frame < mono.length; frame++) {
    samples.fill(mono[frame]!, frame * channels, (frame + 1) * channels);
  }
  return samples;
}

/** Frames between two decisions. Few, as inverse speech before the first decision is lost. */
const WINDOW_FRAMES = 256;
/** Frames over which the mean and a single channel are faded into each other, against clicks. */
const FADE_FRAMES = 64;
/**
 * Power of the mean, relative to that of unrelated channels, below which they cancel each other out, and above which they do so
 * no longer. Equal channels have 2 or more.
 */
const CANCELLED = { below: 0.1, above: 0.25 } as const;
/** Windows with audible sound, of -60 dB and more, that are cancelled before the warning. */
const WARNING = { windows: 16, power: 1e-6 } as const;

function createMix(onWarning: OnAudioWarning): Remix {
  /** Sums of squares, in which each window counts half as much as the next one. */
  let powers = new Float64Array(0);
  let meanPower = 0;
  let framesLeft = WINDOW_FRAMES;
  let isCancelled = false;
  let cancelledWindows = 0;
  /** The channel that takes the place of the mean, and its weight from 0 to 1. */
  let channelUsed = 0;
  let weight = 0;

  function decide(): void {
    const channels = powers.length;
    const power = powers.reduce((sum, one) => sum + one, 0);
    const unrelated = power / channels ** 2;
    if (isCancelled) isCancelled = meanPower <= CANCELLED.above * unrelated;
    else if (meanPower < CANCELLED.below * unrelated) {
      isCancelled = true;
      channelUsed = powers.indexOf(Math.max(...powers));
    }
    const isAudible = power / channels / (2 * WINDOW_FRAMES) > WARNING.power;
    if (isCancelled && isAudible && ++cancelledWindows === WARNING.windows) {
      const message =
        'Channels of the audio are inverse to each other: one of them is used where their mix would be silent.';
      onWarning({ code: 'audio-cancelled', message });
    }
    powers = powers.map(one => one / 2);
    meanPower /= 2;
    framesLeft = WINDOW_FRAMES;
  }

  return (samples, channels) => {
    if (powers.length !== channels) {
      powers = new Float64Array(channels);
      channelUsed = 0;
      isCancelled = false;
    }
    const mono = new Float32Array(samples.length / channels);
    for (let frame = 0, at = 0; frame < mono.length; frame++, at += channels) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel++) {
        const sample = samples[at + channel]!;
        sum += sample;
        powers[channel]! += sample * sample;
      }
      const mean = sum / channels;
      meanPower += mean * mean;
      weight = isCancelled ? Math.min(1, weight + 1 / FADE_FRAMES) : Math.max(0, weight - 1 / FADE_FRAMES);
      mono[frame] = weight === 0 ? mean : mean + weight * (samples[at + channelUsed]! - mean);
      if (--framesLeft === 0) decide();
    }
    return mono;
  };
}

import { InvalidArgumentError } from '../../base/errors.ts';
import { requireIntegerIn, SAMPLE_RATE_RANGE } from '../format/contentType.ts';
import { type ResampleBank, resampleBank } from './resampleBank.ts';

export interface ResamplerOptions {
  /** Hz, an integer of {@link INPUT_RATE_RANGE}. */
  readonly inputRate: number;
  /** Hz, an integer from 8000 to 48000. */
  readonly outputRate: number;
  readonly channels: number;
  /** Position of the first input frame in the source. Default 0. */
  readonly startFrame?: number;
}

/**
 * Changes the sample rate of one stream of interleaved samples.
 *
 * Output frame n is the sound at the time n / outputRate of the source: the delay of the filter is compensated. Input frames a
 * to b (exclusive) give output frames ceil(a * ratio) to ceil(b * ratio), where ratio is outputRate / inputRate. The result does
 * not depend on how the input is cut, to the bit. The input is taken to be surrounded by silence.
 */
export interface Resampler {
  /** Position of the first output frame in the source, at the output rate. */
  readonly startFrame: number;
  /** Input frames of look-ahead: an output frame is returned when this many frames after its time have arrived. */
  readonly delayFrames: number;
  process(samples: Float32Array): Float32Array;
  /** Returns the remaining output. The resampler must not be used afterwards. */
  flush(): Float32Array;
}

/** Supported input rates in Hz. */
export const INPUT_RATE_RANGE = { min: 1000, max: 384_000 } as const;

/**
 * Creates a polyphase resampler: flat to 80 % of the lower Nyquist frequency (ripple below 0.001 dB), aliases and images below
 * -98 dB. With equal rates it returns its input.
 *
 * @throws InvalidArgumentError for a rate out of range
 * @example
 * const resampler = createResampler({ inputRate: 48_000, outputRate: 16_000, channels: 1 });
 * const samples = [resampler.process(first), resampler.process(second), resampler.flush()];
 */
export function createResampler(options: ResamplerOptions): Resampler {
  const { inputRate, outputRate, channels, startFrame = 0 } = options;
  requireIntegerIn('The sample rate of the input', inputRate, INPUT_RATE_RANGE);
  requireIntegerIn('The sample rate of the output', outputRate, SAMPLE_RATE_RANGE);
  if (inputRate === outputRate) {
    return { startFrame, delayFrames: 0, process: samples => samples, flush: () => new Float32Array(0) };
  }
  return createPolyphaseResampler({ inputRate, outputRate, channels, startFrame });
}

/** The position of a stream between two slices. */
interface Position {
  /** Input frames of earlier slices that are still needed. */
  readonly keptFrames: number;
  /** Offset of the window of the next output frame after the first kept frame, in input frames / `up`; less than one frame. */
  readonly phase: number;
}

function createPolyphaseResampler(options: Required<ResamplerOptions>): Resampler {
  const { inputRate, outputRate, channels } = options;
  const bank = resampleBank(inputRate, outputRate);
  const { taps, sliceFrames, input, output } = bank;
  const kept = Array.from({ length: channels }, () => new Float32Array(taps));
  const startFrame = Math.ceil((options.startFrame * bank.up) / bank.down);
  let position = startOf(bank, startFrame * bank.down - options.startFrame * bank.up);

  function process(samples: Float32Array): Float32Array {
    const inputFrames = samples.length / channels;
    requireWholeFrames(inputFrames, channels);
    const result = new Float32Array(countOutput(bank, position, inputFrames) * channels);
    let resultFrame = 0;
    for (let frame = 0; frame < inputFrames; frame += sliceFrames) {
      const frames = Math.min(sliceFrames, inputFrames - frame);
      const { keptFrames, phase } = position;
      const available = keptFrames + frames;
      const count = countOutput(bank, position, frames);
      position = advance(bank, position, frames, count);
      for (let channel = 0; channel < channels; channel++) {
        const keptSamples = kept[channel]!;
        input.set(keptSamples.subarray(0, keptFrames));
        takeChannel(samples, { channel, channels, frame }, input.subarray(keptFrames, available));
        if (count > 0) bank.run(phase, count);
        putChannel(output.subarray(0, count), { channel, channels, frame: resultFrame }, result);
        keptSamples.set(input.subarray(available - position.keptFrames, available));
      }
      resultFrame += count;
    }
    return result;
  }

  return {
    startFrame,
    delayFrames: taps / 2,
    process,
    flush: () => process(new Float32Array((taps / 2) * channels)),
  };
}

/** Returns the initial position: the first output frame is `lead / up` input frames after the start of the input. */
function startOf({ up, taps }: ResampleBank, lead: number): Position {
  return { keptFrames: taps / 2 - 1 - Math.floor(lead / up), phase: lead % up };
}

/** Returns the number of output frames whose windows end within the next `frames` input frames. */
function countOutput({ up, down, taps }: ResampleBank, position: Position, frames: number): number {
  const starts = position.keptFrames + frames - taps + 1;
  return Math.max(0, Math.ceil((starts * up - position.phase) / down));
}

function advance({ up, down }: ResampleBank, position: Position, frames: number, count: number): Position {
  const moved = position.phase + count * down;
  return { keptFrames: position.keptFrames + frames - Math.floor(moved / up), phase: moved % up };
}

/** One channel of interleaved samples, from a frame onwards. */
interface Channel {
  readonly channel: number;
  readonly channels: number;
  readonly frame: number;
}

function takeChannel(interleaved: Float32Array, from: Channel, samples: Float32Array): void {
  const { channel, channels, frame } = from;
  if (channels === 1) samples.set(interleaved.subarray(frame, frame + samples.length));
  else {
    let at = frame * channels + channel;
    for (let i = 0; i < samples.length; i++, at += channels) samples[i] = interleaved[at]!;
  }
}

function putChannel(samples: Float32Array, to: Channel, interleaved: Float32Array): void {
  const { channel, channels, frame } = to;
  if (channels === 1) interleaved.set(samples, frame);
  else {
    let at = frame * channels + channel;
    for (let i = 0; i < samples.length; i++, at += channels) interleaved[at] = samples[i]!;
  }
}

function requireWholeFrames(frames: number, channels: number): void {
  if (Number.isInteger(frames)) return;
  throw new InvalidArgumentError(
    `Cannot resample ${frames * channels} samples: they are not whole frames of ${channels}.`,
  );
}

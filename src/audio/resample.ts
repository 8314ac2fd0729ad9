import type { OperatorFunction } from 'rxjs';
import { InvalidArgumentError } from '../base/errors.ts';
import { type Transducer, transduce } from '../flow/transduce.ts';
import { CHANNELS_RANGE } from './contentType.ts';
import { type AudioBlock, framesOf } from './format.ts';
import { remix } from './remix.ts';
import { createResampler, type Resampler } from './resampler.ts';
import { requireSameFormat } from './sameFormat.ts';

export interface ResampleOptions {
  /** Hz, an integer from 8000 to 48000. Default 16000. */
  readonly sampleRate?: number;
  /** 1 takes the mean of all channels; another number copies a single channel. Default 1. */
  readonly channels?: number | 'keep';
}

export const RESAMPLE_DEFAULTS = { sampleRate: 16_000, channels: 1 } as const satisfies ResampleOptions;

/**
 * Changes the rate and the number of channels of a stream, as {@link createResampler} does. Positions are those of the
 * same sound at the new rate; a stream that is right already passes through untouched. Where frames are missing, what
 * stands before and after the gap is resampled by itself.
 *
 * The stream fails with InvalidArgumentError when a rate is out of range, or when rate or channels change within it.
 *
 * @example
 * fromFile('talk.wav').pipe(resample({ sampleRate: 16_000 }), chunk(100));
 */
export function resample(options: ResampleOptions = {}): OperatorFunction<AudioBlock, AudioBlock> {
  const { sampleRate, channels } = { ...RESAMPLE_DEFAULTS, ...options };
  const { min, max } = CHANNELS_RANGE;
  if (channels !== 'keep' && !(Number.isInteger(channels) && channels >= min && channels <= max)) {
    throw new InvalidArgumentError(
      `resample: wanted channels from ${min} to ${max}, or 'keep', found ${channels}`,
    );
  }
  return transduce(() => createStage(sampleRate, channels));
}

/** A run of blocks without a gap. */
interface Run {
  readonly resampler: Resampler;
  /** Where the next block begins if nothing is missing. */
  nextFrame: number;
  /** Where the next output begins. */
  outputFrame: number;
}

function createStage(sampleRate: number, wanted: number | 'keep'): Transducer<AudioBlock, AudioBlock> {
  let first: AudioBlock | undefined;
  let run: Run | undefined;

  const begin = (block: AudioBlock, channels: number): Run => {
    const { startFrame, sampleRate: inputRate } = block;
    const resampler = createResampler({ inputRate, outputRate: sampleRate, channels, startFrame });
    return { resampler, nextFrame: startFrame, outputFrame: resampler.startFrame };
  };

  function* give(run: Run, samples: Float32Array, channels: number): Generator<AudioBlock> {
    if (samples.length === 0) return;
    yield { startFrame: run.outputFrame, sampleRate, channels, samples };
    run.outputFrame += samples.length / channels;
  }

  function* end(): Generator<AudioBlock> {
    if (!run || !first) return;
    yield* give(run, run.resampler.flush(), wanted === 'keep' ? first.channels : wanted);
    run = undefined;
  }

  return {
    *next(block) {
      first ??= block;
      requireSameFormat('resample', first, block);
      const channels = wanted === 'keep' ? block.channels : wanted;
      if (block.sampleRate === sampleRate && block.channels === channels) return yield block;
      if (run && run.nextFrame !== block.startFrame) yield* end();
      run ??= begin(block, channels);
      const samples = run.resampler.process(remix(block.samples, block.channels, channels));
      run.nextFrame += framesOf(block);
      yield* give(run, samples, channels);
    },
    end,
  };
}

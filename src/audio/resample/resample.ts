import type { OperatorFunction } from 'rxjs';
import { InvalidArgumentError } from '../../base/errors.ts';
import { type Transducer, transduce } from '../../flow/transduce.ts';
import { remix } from '../format/channels.ts';
import { CHANNELS_RANGE, SAMPLE_RATE_RANGE } from '../format/contentType.ts';
import { type AudioBlock, framesOf, requireBlock, requireSameFormat } from '../format/format.ts';
import { createResampler, type Resampler, requireRate } from './resampler.ts';

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
 * The stream fails with InvalidArgumentError when its rate is out of range, or when rate or channels change within it.
 *
 * @throws InvalidArgumentError when an option is out of range
 * @example
 * fromFile('talk.wav').pipe(resample({ sampleRate: 16_000 }), chunk(100));
 */
export function resample(options: ResampleOptions = {}): OperatorFunction<AudioBlock, AudioBlock> {
  const { sampleRate = RESAMPLE_DEFAULTS.sampleRate, channels = RESAMPLE_DEFAULTS.channels } = options;
  requireRate('output', sampleRate, SAMPLE_RATE_RANGE);
  const { min, max } = CHANNELS_RANGE;
  if (channels !== 'keep' && !(Number.isInteger(channels) && channels >= min && channels <= max)) {
    throw new InvalidArgumentError(
      `resample: wanted channels from ${min} to ${max}, or 'keep', found ${channels}`,
    );
  }
  return transduce(() => createStage(sampleRate, channels));
}

/** Blocks without a gap between them. */
interface Run {
  readonly resampler: Resampler;
  readonly channels: number;
  /** Where the next block begins if nothing is missing. */
  nextFrame: number;
  /** Where the next output begins. */
  outputFrame: number;
}

function createStage(sampleRate: number, wanted: number | 'keep'): Transducer<AudioBlock, AudioBlock> {
  let first: AudioBlock | undefined;
  let run: Run | undefined;

  function begin({ startFrame, sampleRate: inputRate }: AudioBlock, channels: number): Run {
    const resampler = createResampler({ inputRate, outputRate: sampleRate, channels, startFrame });
    return { resampler, channels, nextFrame: startFrame, outputFrame: resampler.startFrame };
  }

  function* give(run: Run, samples: Float32Array): Generator<AudioBlock> {
    if (samples.length === 0) return;
    yield { startFrame: run.outputFrame, sampleRate, channels: run.channels, samples };
    run.outputFrame += samples.length / run.channels;
  }

  function* end(): Generator<AudioBlock> {
    if (run) yield* give(run, run.resampler.flush());
    run = undefined;
  }

  return {
    *next(block) {
      requireBlock('resample', block);
      first ??= block;
      requireSameFormat('resample', first, block);
      const channels = wanted === 'keep' ? block.channels : wanted;
      if (block.sampleRate === sampleRate && block.channels === channels) return yield block;
      if (run?.nextFrame !== block.startFrame) yield* end();
      run ??= begin(block, channels);
      run.nextFrame += framesOf(block);
      yield* give(run, run.resampler.process(remix(block.samples, block.channels, channels)));
    },
    end,
  };
}

import type { OperatorFunction } from 'rxjs';
import { refuseIf } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { type Transducer, transduce } from '../../flow/transduce.ts';
import type { OnAudioWarning } from '../format/audioWarning.ts';
import { CHANNELS_RANGE, requireIntegerIn, SAMPLE_RATE_RANGE } from '../format/contentType.ts';
import {
  type AudioBlock,
  framesOf,
  MIXED,
  originOf,
  requireBlock,
  requireSameFormat,
} from '../format/format.ts';
import { createRemix } from '../format/remix.ts';
import { createResampler, type Resampler } from './resampler.ts';

export interface ResampleOptions {
  /** Hz, an integer from 8000 to 48000. Default 16000. */
  readonly sampleRate?: number;
  /** 1 mixes all channels to their mean; a larger number copies a single channel; `keep` keeps the number. Default 1. */
  readonly channels?: number | 'keep';
  /** Called when channels that are mixed cancel each other out: one of them is then used. Default: not called. */
  readonly onWarning?: OnAudioWarning;
}

/** Defaults of {@link ResampleOptions}. */
export const RESAMPLE_DEFAULTS = { sampleRate: 16_000, channels: 1 } as const satisfies ResampleOptions;

/**
 * Changes the sample rate and the number of channels of audio with a polyphase windowed sinc filter: flat to 80 % of the lower
 * Nyquist frequency (ripple below 0.001 dB), aliases below -98 dB. Positions are those of the same sound at the new rate: the
 * delay of the filter is compensated. Audio that already has the format passes through untouched. Audio before and after a gap
 * is resampled separately.
 *
 * The stream fails with an InvalidArgumentError when its sample rate is below 1000 or above 384,000 Hz, when its channels cannot
 * be mixed as wanted, or when sample rate or channels change within it.
 *
 * @throws InvalidArgumentError when an option is out of range
 * @example
 * import { chunk, fromFile, resample } from 'rxscribe';
 *
 * fromFile('talk.wav')
 *   .pipe(resample({ sampleRate: 16_000 }), chunk(100))
 *   .subscribe(block => console.log(block.sampleRate));
 */
export function resample(options: ResampleOptions = {}): OperatorFunction<AudioBlock, AudioBlock> {
  namedOptions('ResampleOptions', options);
  const { sampleRate = RESAMPLE_DEFAULTS.sampleRate, channels = RESAMPLE_DEFAULTS.channels } = options;
  const { onWarning = () => {} } = options;
  requireIntegerIn("Option 'sampleRate'", sampleRate, SAMPLE_RATE_RANGE);
  const { min, max } = CHANNELS_RANGE;
  refuseIf(
    channels !== 'keep' && !(Number.isInteger(channels) && channels >= min && channels <= max),
    `Option 'channels' must be an integer from ${min} to ${max} or 'keep', not ${channels}.`,
  );
  return transduce(() => createTransducer({ sampleRate, channels, onWarning }));
}

/** Blocks without a gap between them. */
interface Run {
  readonly resampler: Resampler;
  readonly channels: number;
  /** First frame of the next block, unless there is a gap. */
  nextFrame: number;
  /** First frame of the next output. */
  outputFrame: number;
}

function createTransducer(options: Required<ResampleOptions>): Transducer<AudioBlock, AudioBlock> {
  const { sampleRate, channels: wanted } = options;
  const remix =
    wanted === 'keep' ? (samples: Float32Array) => samples : createRemix(wanted, options.onWarning);
  let first: AudioBlock | undefined;
  let run: Run | undefined;
  let origin: Partial<AudioBlock> = {};

  function begin({ startFrame, sampleRate: inputRate }: AudioBlock, channels: number): Run {
    const resampler = createResampler({ inputRate, outputRate: sampleRate, channels, startFrame });
    return { resampler, channels, nextFrame: startFrame, outputFrame: resampler.startFrame };
  }

  function* give(run: Run, samples: Float32Array): Generator<AudioBlock> {
    if (samples.length === 0) return;
    yield { startFrame: run.outputFrame, sampleRate, channels: run.channels, samples, ...origin };
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
      refuseIf(
        block.channels !== channels && block.channels !== 1 && channels !== 1,
        `Cannot make ${channels} channels of ${block.channels}: only 1 channel can be copied, and only 1 can be mixed down to.`,
      );
      origin = { ...originOf(block), ...(channels < block.channels && { [MIXED]: true }) };
      if (block.sampleRate === sampleRate && block.channels === channels) return yield block;
      if (run?.nextFrame !== block.startFrame) yield* end();
      run ??= begin(block, channels);
      run.nextFrame += framesOf(block);
      yield* give(run, run.resampler.process(remix(block.samples, block.channels)));
    },
    end,
  };
}

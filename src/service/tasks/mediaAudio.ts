import { channelOf, remix } from '../../audio/format/channels.ts';
import type { AudioBlock } from '../../audio/format/format.ts';
import { toInt16 } from '../../audio/pcm/pcm.ts';
import { createResampler, type Resampler } from '../../audio/resample/resampler.ts';
import { fileBlocks } from '../../audio/source/file.ts';
import { type ErrorCode, RxscribeError } from '../../base/errors.ts';
import type { JobFailure } from '../../protocol/jobs.ts';
import { JobFailedError } from '../jobs/task.ts';

/** One channel of several that are treated apart. */
export interface ChannelChoice {
  /** From 0. */
  readonly channel: number;
  /** How many there must be. */
  readonly ofAtLeast: number;
}

export interface MediaAudioOptions {
  /** Hz of what comes out. */
  readonly sampleRate: number;
  /** Default: all channels together, as their mean. */
  readonly choice?: ChannelChoice;
}

export interface MediaBlocksOptions {
  readonly signal: AbortSignal;
  /** Told, and waited for, after each block: seconds of media so far. What it throws is thrown. */
  readonly onSeconds: (seconds: number) => Promise<void>;
}

/**
 * The audio of a media file as it is, no more than is asked for; of one that is damaged or cut, what can be read.
 *
 * @throws JobFailedError for media that cannot be read; RxscribeError `audio-missing`, `program-failed`; the signal's reason
 */
export async function* mediaBlocks(path: string, options: MediaBlocksOptions): AsyncGenerator<AudioBlock> {
  const { signal, onSeconds } = options;
  try {
    for await (const block of fileBlocks(path, { signal, onWarning: () => {}, tolerant: true })) {
      yield block;
      await onSeconds(block.startFrame / block.sampleRate + secondsOf(block));
    }
  } catch (error) {
    throw mediaFailure(error);
  }
}

const secondsOf = ({ samples, channels, sampleRate }: AudioBlock) => samples.length / channels / sampleRate;

/**
 * What an engine takes, of the blocks of a media file: mono, 16 bits, at the engine's rate.
 *
 * @throws JobFailedError `invalid_media` when there are fewer channels than wanted, or at a rate that cannot be used
 */
export async function* mediaAudio(
  blocks: AsyncIterable<AudioBlock>,
  { sampleRate: outputRate, choice }: MediaAudioOptions,
): AsyncGenerator<Int16Array> {
  let resampler: Resampler | undefined;
  for await (const { samples, channels, sampleRate: inputRate } of blocks) {
    resampler ??= resamplerFor(inputRate, outputRate);
    if (choice && channels < choice.ofAtLeast) {
      const found = `wanted ${choice.ofAtLeast}, found ${channels}`;
      throw new JobFailedError('invalid_media', `The media has too few channels: ${found}`);
    }
    const mono = choice ? channelOf(samples, channels, choice.channel) : remix(samples, channels, 1);
    yield toInt16(resampler.process(mono));
  }
  if (resampler) yield toInt16(resampler.flush());
}

function resamplerFor(inputRate: number, outputRate: number): Resampler {
  try {
    return createResampler({ inputRate, outputRate, channels: 1 });
  } catch (error) {
    throw mediaFailure(error);
  }
}

/** What users are told of media that cannot be read; messages of decoders have paths in them. */
const FAILURES: Partial<Record<ErrorCode, readonly [JobFailure, string]>> = {
  'audio-empty': ['empty_media', 'The media has no audio in it'],
  'audio-corrupt': ['invalid_media', 'The media is damaged and cannot be decoded'],
  'audio-unsupported': ['invalid_media', 'The media is not audio, or of a kind that cannot be decoded'],
  // Of the resampler: a rate that no recording has.
  'invalid-argument': ['invalid_media', 'The media has a sample rate that cannot be used'],
  'program-missing': [
    'internal_processing',
    'ffmpeg is missing where the service runs: "rxscribe doctor --fix" installs it or says how',
  ],
};

/** What an error in reading media is for the job; anything but the fault of media or machine stays what it is. */
export function mediaFailure(cause: unknown): unknown {
  const failure = cause instanceof RxscribeError && FAILURES[cause.code];
  return failure ? new JobFailedError(...failure, { cause }) : cause;
}

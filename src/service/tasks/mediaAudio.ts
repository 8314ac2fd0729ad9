import { channelOf, remix } from '../../audio/format/channels.ts';
import type { AudioBlock } from '../../audio/format/format.ts';
import { toInt16 } from '../../audio/pcm/pcm.ts';
import { createResampler, type Resampler } from '../../audio/resample/resampler.ts';
import { fileBlocks } from '../../audio/source/file.ts';
import { JobFailedError } from '../jobs/task.ts';
import { mediaFailure } from './mediaFailure.ts';

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

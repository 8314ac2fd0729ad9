import type { OnAudioWarning } from '../../audio/format/audioWarning.ts';
import { channelOf } from '../../audio/format/channels.ts';
import type { AudioBlock } from '../../audio/format/format.ts';
import { createRemix } from '../../audio/format/remix.ts';
import { toInt16 } from '../../audio/pcm/pcm.ts';
import { createResampler, type Resampler } from '../../audio/resample/resampler.ts';
import { fileBlocks } from '../../audio/source/file.ts';
import { type ErrorCode, RxscribeError } from '../../base/errors.ts';
import type { JobFailure } from '../../protocol/jobs.ts';
import { JobFailedError } from '../jobs/task.ts';

/** One channel of media whose channels are transcribed separately. */
export interface ChannelChoice {
  /** From 0. */
  readonly channel: number;
  /** Minimum number of channels of the media. */
  readonly ofAtLeast: number;
}

export interface MediaAudioOptions {
  /** Sample rate of the output in Hz. */
  readonly sampleRate: number;
  /** Default: the mean of all channels. */
  readonly choice?: ChannelChoice;
  /** Called when the channels cancel each other out. */
  readonly onWarning: OnAudioWarning;
}

export interface MediaBlocksOptions {
  readonly signal: AbortSignal;
  /** Called for damage, without the path of the file. */
  readonly onWarning: OnAudioWarning;
  /** Called and awaited after each block with the seconds of media so far. Its errors are thrown. */
  readonly onSeconds: (seconds: number) => Promise<void>;
}

/**
 * Yields the audio of a media file, decoding only the requested part; of a damaged file, the readable part.
 *
 * @throws JobFailedError for media that cannot be read; RxscribeError `audio-missing`, `program-failed`; the signal's reason
 */
export async function* mediaBlocks(path: string, options: MediaBlocksOptions): AsyncGenerator<AudioBlock> {
  const { signal, onSeconds, onWarning } = options;
  const withoutPath: OnAudioWarning = ({ code, message }) =>
    onWarning({ code, message: message.replaceAll(path, 'media') });
  try {
    for await (const block of fileBlocks(path, { signal, onWarning: withoutPath, tolerant: true })) {
      yield block;
      await onSeconds(block.startFrame / block.sampleRate + secondsOf(block));
    }
  } catch (error) {
    throw mediaFailure(error);
  }
}

const secondsOf = ({ samples, channels, sampleRate }: AudioBlock) => samples.length / channels / sampleRate;

/**
 * Converts the blocks of a media file to the input of an engine: mono, 16 bits, at the engine's rate.
 *
 * @throws JobFailedError `invalid_media` for too few channels, or an unusable rate
 */
export async function* mediaAudio(
  blocks: AsyncIterable<AudioBlock>,
  { sampleRate: outputRate, choice, onWarning }: MediaAudioOptions,
): AsyncGenerator<Int16Array> {
  const remix = createRemix(1, onWarning);
  let resampler: Resampler | undefined;
  for await (const { samples, channels, sampleRate: inputRate } of blocks) {
    resampler ??= resamplerFor(inputRate, outputRate);
    if (choice && channels < choice.ofAtLeast) {
      const detail = `The media has too few channels (needed: ${choice.ofAtLeast}, found: ${channels}).`;
      throw new JobFailedError('invalid_media', detail);
    }
    const mono = choice ? channelOf(samples, channels, choice.channel) : remix(samples, channels);
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

/** Messages to users about unreadable media; those of decoders contain paths. */
const FAILURES: Partial<Record<ErrorCode, readonly [JobFailure, string]>> = {
  'audio-empty': ['empty_media', 'The media has no audio.'],
  'audio-corrupt': ['invalid_media', 'The media is damaged and cannot be decoded.'],
  'audio-unsupported': ['invalid_media', 'The media is not audio, or in a format that cannot be decoded.'],
  // The error of the resampler for a rate that no recording has.
  'invalid-argument': ['invalid_media', 'The media has a sample rate that cannot be used.'],
  'program-missing': [
    'internal_processing',
    "The media needs ffmpeg, and ffmpeg is missing on the service. Run 'rxscribe doctor --fix' there to install it, or submit " +
      'WAV, FLAC, MP3 or Opus.',
  ],
};

/** Returns the failure of a job for an error in reading media; any other error is returned as it is. */
function mediaFailure(cause: unknown): unknown {
  const failure = cause instanceof RxscribeError && FAILURES[cause.code];
  if (!failure) return cause;
  const [, kind] = / looks like ([\w ]+)\.$/.exec(cause.message) ?? [];
  const [code, detail] = failure;
  return new JobFailedError(code, kind ? `The media is not audio, it looks like ${kind}.` : detail, {
    cause,
  });
}

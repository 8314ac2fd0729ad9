import { join } from 'node:path';
import type { AudioBlock } from '../../audio/format/format.ts';
import { probeSeconds } from '../../audio/source/probe.ts';
import { JobFailedError, type TaskContext } from '../jobs/task.ts';
import type { JobLimits } from '../limits.ts';
import { DownloadError, type DownloadOptions, download } from '../outbound/download.ts';
import type { MediaInput } from './inputs.ts';
import { createJobWarnings } from './jobWarnings.ts';
import { type MediaAudioOptions, mediaAudio, mediaBlocks } from './mediaAudio.ts';
import type { TaskOptions } from './taskOptions.ts';

/** The share of one reading of the media in the progress of a job, as two fractions. */
export type Share = readonly [from: number, to: number];

const WHOLE: Share = [0, 1];

export type MediaOptions = Pick<TaskOptions, 'guard' | 'limits' | 'clock'>;

/** The media of a job: a file, which engines can read several times. */
export type Media = Awaited<ReturnType<typeof openMedia>>;

/**
 * Opens the media uploaded with a job, or downloads it. Holds credit for all of it as soon as its length is known.
 *
 * @throws JobFailedError `download_failure`, `duration_exceeded`, `insufficient_balance`; the signal's reason
 */
export async function openMedia(input: MediaInput, context: TaskContext, options: MediaOptions) {
  const { signal } = context;
  const path = context.media ?? (await fetchMedia(input, context, options));
  const meter = createMeter(options.limits, context);
  const { onWarning, findings } = createJobWarnings();
  const announced = await probeSeconds(path, { signal });
  if (announced !== undefined) await meter.announce(announced);
  let exact: number | undefined;

  async function* blocks([from, to]: Share = WHOLE): AsyncGenerator<AudioBlock> {
    let read = 0;
    const onSeconds = (seconds: number) => {
      read = seconds;
      if (announced) context.progress(from + (to - from) * Math.min(1, seconds / announced));
      return meter.reach(seconds);
    };
    yield* mediaBlocks(path, { signal, onWarning, onSeconds });
    await meter.end(read);
    exact = read;
  }

  return {
    /**
     * Yields the audio for an engine. Decodes only the requested part.
     *
     * @param options.share share in the progress of the job; default all of it
     * @throws JobFailedError for unsuitable media, or media longer than the credit; the signal's reason
     */
    audio: ({ share, ...options }: Omit<MediaAudioOptions, 'onWarning'> & { readonly share?: Share }) =>
      mediaAudio(blocks(share), { ...options, onWarning }),
    /** Adds a warning. */
    warn: onWarning,
    /** Returns the warnings so far, as findings of the job. */
    findings,
    /** Returns the number of channels at the beginning. @throws JobFailedError for media that cannot be read */
    async channels(): Promise<number> {
      // The later reading, of all of it, gives the warnings.
      const first = { signal, onWarning: () => {}, onSeconds: async () => {} };
      for await (const { channels } of mediaBlocks(path, first)) return channels;
      return 1;
    },
    /** Returns the length in seconds: exact after a complete reading, else as stated by the file, else by reading it. */
    async seconds(): Promise<number> {
      if (exact === undefined && announced === undefined) for await (const _ of blocks());
      return exact ?? announced!;
    },
  };
}

/** Downloads the media, and keeps it for further runs of the job. */
async function fetchMedia(
  { source }: MediaInput,
  context: TaskContext,
  options: MediaOptions,
): Promise<string> {
  if (!source) throw new JobFailedError('internal_processing', 'The media of the job no longer exists.');
  const path = join(context.directory, 'media');
  const maxBytes = options.limits.mediaBytes;
  const { name } = await fetchForJob(
    'media',
    fetching => download(source, path, { ...fetching, maxBytes }),
    context,
    options,
  );
  return context.keepMedia(path, name);
}

/**
 * Downloads an address for a job.
 *
 * @param what name of the download in the message to the user
 * @throws JobFailedError `download_failure`; the signal's reason
 */
export async function fetchForJob<T>(
  what: string,
  fetch: (options: DownloadOptions) => Promise<T>,
  { signal }: Pick<TaskContext, 'signal'>,
  { guard, limits, clock }: MediaOptions,
): Promise<T> {
  try {
    return await fetch({ guard, clock, signal, totalTimeoutMs: limits.downloadMs });
  } catch (cause) {
    if (!(cause instanceof DownloadError)) throw cause;
    const reason = cause.message.replace(/^The download failed: /, '');
    throw new JobFailedError('download_failure', `The ${what} could not be downloaded: ${reason}`, { cause });
  }
}

/** Seconds of credit held at a time for media of unknown length. */
const RESERVE_STEP_SECONDS = 10;

/**
 * Creates a meter that holds credit for the media of a job, and refuses media that is too long.
 *
 * Its functions throw JobFailedError `duration_exceeded`, `duration_too_short` or `insufficient_balance`.
 */
function createMeter(
  { minMediaSeconds, maxMediaSeconds }: Pick<JobLimits, 'minMediaSeconds' | 'maxMediaSeconds'>,
  { reserve }: Pick<TaskContext, 'reserve'>,
) {
  let reserved = 0;
  const hold = async (seconds: number) => {
    if (seconds <= reserved) return;
    await reserve(seconds);
    reserved = seconds;
  };
  const requireAtMost = (seconds: number) => {
    if (seconds <= maxMediaSeconds) return;
    throw new JobFailedError('duration_exceeded', `The media is longer than ${maxMediaSeconds} seconds.`);
  };
  return {
    /** Reports the length stated by the media. */
    async announce(seconds: number): Promise<void> {
      requireAtMost(seconds);
      await hold(seconds);
    },
    /** Reports the seconds of media read so far. */
    async reach(seconds: number): Promise<void> {
      requireAtMost(seconds);
      if (seconds - reserved >= RESERVE_STEP_SECONDS) await hold(seconds);
    },
    /** Reports the end of the media. */
    async end(seconds: number): Promise<void> {
      if (seconds < minMediaSeconds) {
        throw new JobFailedError(
          'duration_too_short',
          `The media is shorter than ${minMediaSeconds} seconds.`,
        );
      }
      await hold(seconds);
    },
  };
}

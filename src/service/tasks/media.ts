import { join } from 'node:path';
import type { AudioBlock } from '../../audio/format/format.ts';
import { probeSeconds } from '../../audio/source/probe.ts';
import { JobFailedError, type TaskContext } from '../jobs/task.ts';
import { DownloadError, type DownloadOptions, download } from '../outbound/download.ts';
import type { MediaInput } from './inputs.ts';
import { type MediaAudioOptions, mediaAudio, mediaBlocks } from './mediaAudio.ts';
import { createMeter } from './meter.ts';
import type { TaskOptions } from './taskOptions.ts';

/** Which part of the work it is to read the media once: from one fraction to another. */
export type Share = readonly [from: number, to: number];

const WHOLE: Share = [0, 1];

/** The media of a job: a file, which can be read as often as engines want to. */
export interface Media {
  /**
   * What an engine takes of it. No more is decoded than is asked for.
   *
   * @param options.share of the job's progress; default all of it
   *
   * @throws JobFailedError for media that is not fit, or longer than there is credit for; the signal's reason
   */
  audio(options: MediaAudioOptions & { readonly share?: Share }): AsyncGenerator<Int16Array>;
  /** How long it is: exact once it has been read to its end, before that as the file says; if it does not, it is read. */
  seconds(): Promise<number>;
}

/**
 * Opens what was uploaded with a job, or fetches what it names. Credit is held for all of it, as soon as its length is
 * known.
 *
 * @throws JobFailedError `download_failure`, `duration_exceeded`, `insufficient_balance`; the signal's reason
 */
export async function openMedia(
  input: MediaInput,
  context: TaskContext,
  options: Pick<TaskOptions, 'guard' | 'limits' | 'clock'>,
): Promise<Media> {
  const { signal } = context;
  const path = context.media ?? (await fetchMedia(input, context, options));
  const meter = createMeter(options.limits, context);
  const announced = await probeSeconds(path, { signal, clock: options.clock });
  if (announced !== undefined) await meter.announce(announced);
  let exact: number | undefined;

  async function* blocks([from, to]: Share = WHOLE): AsyncGenerator<AudioBlock> {
    let read = 0;
    const onSeconds = (seconds: number) => {
      read = seconds;
      if (announced) context.progress(from + (to - from) * Math.min(1, seconds / announced));
      return meter.reach(seconds);
    };
    yield* mediaBlocks(path, { signal, onSeconds });
    await meter.end(read);
    exact = read;
  }

  return {
    audio: ({ share, ...wish }) => mediaAudio(blocks(share), wish),
    async seconds() {
      if (exact === undefined && announced === undefined) for await (const _ of blocks());
      return exact ?? announced!;
    },
  };
}

/** What another run of the job has fetched is media that was uploaded. */
async function fetchMedia(
  { source }: MediaInput,
  context: TaskContext,
  options: Pick<TaskOptions, 'guard' | 'limits' | 'clock'>,
): Promise<string> {
  if (!source) throw new JobFailedError('internal_processing', 'The media of the job is gone');
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
 * Fetches something that a job needs.
 *
 * @param what it is, for the user
 * @throws JobFailedError `download_failure`; the signal's reason
 */
export async function fetchForJob<T>(
  what: string,
  fetch: (options: DownloadOptions) => Promise<T>,
  { signal }: Pick<TaskContext, 'signal'>,
  { guard, limits, clock }: Pick<TaskOptions, 'guard' | 'limits' | 'clock'>,
): Promise<T> {
  try {
    return await fetch({ guard, clock, signal, totalTimeoutMs: limits.downloadMs });
  } catch (cause) {
    if (!(cause instanceof DownloadError)) throw cause;
    const why = cause.message.replace(/^download: /, '');
    throw new JobFailedError('download_failure', `The ${what} could not be downloaded: ${why}`, { cause });
  }
}

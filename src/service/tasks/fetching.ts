import { JobFailedError, type TaskContext } from '../jobs/task.ts';
import { DownloadError, type DownloadOptions } from '../outbound/download.ts';
import type { TaskOptions } from './taskOptions.ts';

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

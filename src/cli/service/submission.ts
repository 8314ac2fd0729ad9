import type { UploadOptions } from '../../client/jobs/areaTypes.ts';
import type { AnyJob, Job } from '../../client/jobs/jobTypes.ts';
import { JobFailedError, NotFoundError } from '../../client/jobs/requestErrors.ts';
import type { WaitOptions } from '../../client/jobs/waitFor.ts';
import { unusableNote } from '../files/phraseFiles.ts';
import { isAddress, mediaName } from '../flags/mediaArgument.ts';
import type { ServiceUse } from './useService.ts';

/** A job that a command submits. */
export interface Submission<SomeJob> {
  /** Task of the progress line while the job runs, such as `transcribing talk.wav`. */
  readonly task: string;
  /** Argument that names the media, for a job that has any. */
  readonly media?: string;
  submit(uploading: Required<Pick<UploadOptions, 'onProgress'>>): Promise<SomeJob>;
}

/** Warns of options that had no effect on a job. */
export function noteIgnored({ progress }: ServiceUse, { ignoredOptions = [] }: AnyJob): void {
  if (ignoredOptions.length === 0) return;
  progress.note(`warning: options without effect on the job: ${ignoredOptions.join(', ')}`);
}

/** Prints the warnings of a job about its media. */
export function noteWarnings({ progress }: ServiceUse, { warnings = [] }: AnyJob): void {
  for (const warning of warnings) progress.note(`warning: ${warning}`);
}

/** Submits a job, shows the progress of the upload, and warns of options without effect. */
export async function submitJob<SomeJob extends AnyJob>(
  use: ServiceUse,
  { media, submit }: Submission<SomeJob>,
): Promise<SomeJob> {
  const { progress } = use;
  const task = media === undefined || isAddress(media) ? 'submitting' : `uploading ${mediaName(media)}`;
  progress.show(task);
  const job = await submit({
    onProgress: ({ sentBytes, totalBytes }) => progress.show(task, totalBytes && sentBytes / totalBytes),
  });
  noteIgnored(use, job);
  return job;
}

/**
 * Submits a job and waits for its end; notes say which phrases had no effect, and what is wrong with its media. If the wait fails, a note names the job that
 * continues.
 */
export async function submitAndWait<SomeJob extends AnyJob>(
  use: ServiceUse,
  submission: Submission<SomeJob> & {
    waitFor(job: SomeJob, options?: WaitOptions<SomeJob>): Promise<SomeJob>;
  },
): Promise<SomeJob> {
  const { task } = submission;
  const job = await submitJob(use, submission);
  use.progress.show(task);
  try {
    const onProgress = ({ progress }: AnyJob & Pick<Job, 'progress'>) =>
      use.progress.show(task, progress === undefined ? undefined : progress / 100);
    const done: SomeJob & Pick<Job, 'unusablePhrases'> = await submission.waitFor(job, { onProgress });
    for (const fault of done.unusablePhrases ?? []) use.progress.note(unusableNote(fault));
    noteWarnings(use, done);
    return done;
  } catch (error) {
    const hasEnded = error instanceof JobFailedError || error instanceof NotFoundError;
    if (!hasEnded && !use.isEmbedded) use.progress.note(`Job ${job.id} continues at the service.`);
    throw error;
  }
}

import type { AnyJob, Job } from '../../client/jobs/jobTypes.ts';
import { JobFailedError, NotFoundError } from '../../client/jobs/requestErrors.ts';
import type { UploadOptions } from '../../client/jobs/submissionFields.ts';
import type { WaitOptions } from '../../client/jobs/waitFor.ts';
import { isAddress, mediaName } from '../flags/mediaArgument.ts';
import type { ServiceUse } from './useService.ts';

/** A job that a command submits. */
export interface Submission<SomeJob> {
  /** What happens then, as `transcribing talk.wav`. */
  readonly what: string;
  /** The argument that names the media, if there is any. */
  readonly media?: string;
  submit(uploading: Required<Pick<UploadOptions, 'onProgress'>>): Promise<SomeJob>;
}

/** Submits a job, and shows how far the upload is. */
export function submitJob<SomeJob extends AnyJob>(
  { progress }: ServiceUse,
  { media, submit }: Submission<SomeJob>,
): Promise<SomeJob> {
  const what = media === undefined || isAddress(media) ? 'submitting' : `uploading ${mediaName(media)}`;
  progress.show(what);
  return submit({
    onProgress: ({ sentBytes, totalBytes }) => progress.show(what, totalBytes && sentBytes / totalBytes),
  });
}

/** Of the work; undefined where nobody knows it. */
function fractionOf({ progress }: AnyJob & Pick<Job, 'progress'>): number | undefined {
  return progress === undefined ? undefined : progress / 100;
}

/** Submits a job and waits for its end. Where that cannot be waited for, it says which job goes on. */
export async function submitAndWait<SomeJob extends AnyJob>(
  use: ServiceUse,
  submission: Submission<SomeJob> & {
    waitFor(job: SomeJob, options?: WaitOptions<SomeJob>): Promise<SomeJob>;
  },
): Promise<SomeJob> {
  const job = await submitJob(use, submission);
  use.progress.show(submission.what);
  try {
    const onProgress = (seen: AnyJob) => use.progress.show(submission.what, fractionOf(seen));
    return await submission.waitFor(job, { onProgress });
  } catch (error) {
    const hasEnded = error instanceof JobFailedError || error instanceof NotFoundError;
    if (!hasEnded && !use.isEmbedded) use.progress.note(`job ${job.id} goes on at the service`);
    throw error;
  }
}

import { type ErrorCode, RxscribeError } from '../../base/errors.ts';
import { oneLine } from '../../base/oneLine.ts';
import type { JobFailure } from '../../protocol/jobs.ts';
import type { AnyJob } from './jobTypes.ts';

const CODES: Readonly<Record<JobFailure, ErrorCode>> = {
  download_failure: 'audio-missing',
  invalid_media: 'audio-unsupported',
  empty_media: 'audio-empty',
  duration_too_short: 'audio-unsupported',
  duration_exceeded: 'audio-unsupported',
  transcription: 'engine-failed',
  insufficient_balance: 'out-of-credit',
  custom_vocabulary: 'bad-request',
  internal_processing: 'unavailable',
};

/** A job has ended without a result. */
export class JobFailedError extends RxscribeError {
  /** As it ended. */
  readonly job: AnyJob;
  /** Why, as a word of the interface. */
  readonly failure: JobFailure | undefined;
  /** Why, for people. */
  readonly failureDetail: string | undefined;

  constructor(job: AnyJob) {
    const { id, status, failure, failureDetail } = job;
    const why = [failure, failureDetail].filter(part => part !== undefined).join(': ');
    super(
      CODES[failure ?? 'internal_processing'],
      `job ${id}: wanted its result, found ${oneLine(why || status)}`,
    );
    this.job = job;
    this.failure = failure;
    this.failureDetail = failureDetail;
  }
}

import { type ErrorCode, RxscribeError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type { JobFailure } from '../../protocol/jobs.ts';
import { BadRequestError, ServiceError } from '../serviceErrors.ts';
import type { AnyJob } from './jobTypes.ts';

/** Ways in which only a request over HTTP fails; the others stand with those of streams. */

/** Parameters did not validate. */
export class InvalidParametersError extends BadRequestError {
  /** What is wrong, by the name that each parameter has on the wire. */
  get faults(): Readonly<Record<string, readonly string[]>> {
    return this.problem?.parameters ?? this.problem?.parameter ?? {};
  }
}

/** There is no such job, vocabulary or path, or no longer. */
export class NotFoundError extends ServiceError {}

/** What is asked for is not to be had in this form. */
export class NotAcceptableError extends BadRequestError {
  /** Media types that are to be had. */
  get allowedValues(): readonly string[] {
    return this.problem?.allowedValues ?? [];
  }
}

/** The job is in a state in which that is not possible: not done yet, or still running. */
export class InvalidJobStateError extends ServiceError {
  get currentValue(): string | undefined {
    return this.problem?.currentValue;
  }

  /** States in which it is possible. */
  get allowedValues(): readonly string[] {
    return this.problem?.allowedValues ?? [];
  }
}

/** The upload or the body is larger than the service takes. */
export class PayloadTooLargeError extends BadRequestError {}

/** The service cannot answer for now. */
export class ServiceUnavailableError extends ServiceError {}

/** Nothing moved on the connection for too long, or one of the two thinks so. */
export class RequestTimeoutError extends ServiceError {}

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

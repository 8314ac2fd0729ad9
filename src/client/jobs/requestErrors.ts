import { type ErrorCode, RxscribeError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type { JobFailure } from '../../protocol/jobs.ts';
import { BadRequestError, ServiceError } from '../serviceErrors.ts';
import type { AnyJob } from './jobTypes.ts';

/** Errors of HTTP requests only; those shared with streams are in `serviceErrors.ts`. */

/** Parameters did not validate. */
export class InvalidParametersError extends BadRequestError {
  override name = 'InvalidParametersError';
  /** Faults by the wire name of the parameter. */
  get faults(): Readonly<Record<string, readonly string[]>> {
    return this.problem?.parameters ?? this.problem?.parameter ?? {};
  }
}

/** The job, vocabulary or path does not exist. */
export class NotFoundError extends ServiceError {
  override name = 'NotFoundError';
}

/** The result is not available in the requested format. */
export class NotAcceptableError extends BadRequestError {
  override name = 'NotAcceptableError';
  /** Available media types. */
  get allowedValues(): readonly string[] {
    return this.problem?.allowedValues ?? [];
  }
}

/** The operation is not possible in the current state of the job. */
export class InvalidJobStateError extends ServiceError {
  override name = 'InvalidJobStateError';
  get currentValue(): string | undefined {
    return this.problem?.currentValue;
  }

  /** States in which the operation is possible. */
  get allowedValues(): readonly string[] {
    return this.problem?.allowedValues ?? [];
  }
}

/** The upload or the body is too large for the service. */
export class PayloadTooLargeError extends BadRequestError {
  override name = 'PayloadTooLargeError';
}

/** The service is temporarily unavailable. */
export class ServiceUnavailableError extends ServiceError {
  override name = 'ServiceUnavailableError';
}

/** No data was sent or received for too long, as seen by the client or the service. */
export class RequestTimeoutError extends ServiceError {
  override name = 'RequestTimeoutError';
}

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

/** A job has failed. */
export class JobFailedError extends RxscribeError {
  override name = 'JobFailedError';
  /** The failed job. */
  readonly job: AnyJob;
  /** Kind of the failure. */
  readonly failure: JobFailure | undefined;
  /** Reason of the failure, for people. */
  readonly failureDetail: string | undefined;

  constructor(job: AnyJob) {
    const { id, status, failure, failureDetail } = job;
    const why = [failure, failureDetail].filter(part => part !== undefined).join(': ');
    super(
      CODES[failure ?? 'internal_processing'],
      `Job '${id}' failed: ${oneLine(why || status).replace(/\.$/, '')}.`,
    );
    this.job = job;
    this.failure = failure;
    this.failureDetail = failureDetail;
  }
}

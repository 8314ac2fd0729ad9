import { BadRequestError, ServiceError } from '../serviceErrors.ts';

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

import { type ErrorCode, RxscribeError, reasonOf } from '../base/errors.ts';
import type { Problem as ProblemJson } from '../protocol/problems.ts';
import type { Camel } from '../protocol/wireNames.ts';

/** The problem details of a rejected request (RFC 9457); further fields depend on the problem. */
export type Problem = Camel<ProblemJson>;

/** Details of a failed request or stream. */
export interface ServiceErrorDetails {
  /** Close code of the WebSocket; absent when none was open. */
  readonly closeCode?: number;
  /** Status of the HTTP response. */
  readonly httpStatus?: number;
  /** Problem details in the body of the HTTP response. */
  readonly problem?: Problem;
  /** Seconds to wait before the next attempt, if the service asks for it. */
  readonly retryAfterSeconds?: number;
  /** Reason given by the service. Default: empty. */
  readonly reason?: string;
  /** The remedy, as one sentence. */
  readonly advice: string;
  /** True when the same request may succeed later. Default false. */
  readonly retry?: boolean;
  readonly cause?: unknown;
}

/**
 * A failure of a service or of the network: the base of the errors of live streams and of the HTTP client. Finals that a stream
 * emitted before its error remain valid.
 *
 * @example
 * import { createClient, ServiceError } from 'rxscribe';
 *
 * const client = createClient({ url: 'http://127.0.0.1:8080', token: 'secret' });
 * client.account().catch(error => {
 *   if (error instanceof ServiceError) console.error(error.message, error.advice, error.retry);
 * });
 */
export class ServiceError extends RxscribeError {
  override name = 'ServiceError';
  readonly closeCode?: number;
  readonly httpStatus?: number;
  readonly problem?: Problem;
  readonly retryAfterSeconds?: number;
  readonly reason: string;
  readonly advice: string;
  readonly retry: boolean;

  constructor(code: ErrorCode, message: string, details: ServiceErrorDetails) {
    super(code, message, 'cause' in details ? { cause: details.cause } : undefined);
    if (details.closeCode !== undefined) this.closeCode = details.closeCode;
    if (details.httpStatus !== undefined) this.httpStatus = details.httpStatus;
    if (details.problem !== undefined) this.problem = details.problem;
    if (details.retryAfterSeconds !== undefined) this.retryAfterSeconds = details.retryAfterSeconds;
    this.reason = details.reason ?? '';
    this.advice = details.advice;
    this.retry = details.retry ?? false;
  }
}

/** Returns whether an attempt that failed with this error may succeed later. */
export function isRetryable(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.retry;
}

/** Constructor of a class of {@link ServiceError}. */
export type ServiceErrorClass = new (
  code: ErrorCode,
  message: string,
  details: ServiceErrorDetails,
) => ServiceError;

/** The access token is missing, wrong or expired. */
export class UnauthorizedError extends ServiceError {
  override name = 'UnauthorizedError';
}
/** The service does not accept the request. */
export class BadRequestError extends ServiceError {
  override name = 'BadRequestError';
}
/** The account has too little credit. */
export class OutOfCreditError extends ServiceError {
  override name = 'OutOfCreditError';
  /** Remaining credit in seconds, if the service states it. */
  get currentBalance(): number | undefined {
    return this.problem?.currentBalance;
  }
}
/** The account exceeds its limits. */
export class TooManyRequestsError extends ServiceError {
  override name = 'TooManyRequestsError';
}
/** The service had an internal error. */
export class ServiceFailedError extends ServiceError {
  override name = 'ServiceFailedError';
}
/** A message or an answer does not comply with the interface. */
export class ProtocolError extends ServiceError {
  override name = 'ProtocolError';
}
/** The connection broke, or the service stopped responding. */
export class ConnectionLostError extends ServiceError {
  override name = 'ConnectionLostError';
}
/** No connection could be made: refused, no such host, or no service at this address. */
export class UnreachableError extends ServiceError {
  override name = 'UnreachableError';
}

/**
 * Returns the reason of a network error, without a full stop. A refused connection to a host with several addresses has a code,
 * but no message.
 */
export function networkCause(cause: Error): string {
  return reasonOf(cause) || ('code' in cause ? String(cause.code) : cause.name);
}

/** The error for an HTTP status or a close code. */
export interface ErrorRow {
  readonly error: ServiceErrorClass;
  readonly code: ErrorCode;
  readonly advice: string;
  readonly retry?: boolean;
}

/** The error for a rejected token, over HTTP and on a stream. */
export const UNAUTHORIZED: ErrorRow = {
  error: UnauthorizedError,
  code: 'unauthorized',
  advice:
    'Check the access token, or create a new one. Accounts and tokens belong to one service and region.',
};

/** The service shuts down; another one may take the stream. */
export class ShuttingDownError extends ServiceError {
  override name = 'ShuttingDownError';
}
/** No recogniser was free in time. */
export class NoInstanceError extends ServiceError {
  override name = 'NoInstanceError';
}
/** The service closed the connection because no audio came. */
export class IdleError extends ServiceError {
  override name = 'IdleError';
}
/** The service took too long to answer the handshake, to be ready, or to send a final. */
export class StreamTimeoutError extends ServiceError {
  override name = 'StreamTimeoutError';
}

/** Returns the error of a service that answers, but has no words for so many seconds of sound. */
export function deafError(seconds: number): StreamTimeoutError {
  return new StreamTimeoutError('timeout', `The service has no words for ${seconds} s of sound.`, {
    advice: 'Check the recogniser of the service, and the sound of the source.',
    retry: true,
  });
}

/** The audio without text exceeds the limit of the buffer. */
export class OverflowError extends ServiceError {
  override name = 'OverflowError';
}

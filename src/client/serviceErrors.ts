import { type ErrorCode, RxscribeError } from '../base/errors.ts';
import type { Problem as ProblemJson } from '../protocol/problems.ts';
import type { Camel } from '../protocol/wireNames.ts';

/** What a service says about a request that it does not grant; further fields depend on the problem. */
export type Problem = Camel<ProblemJson>;

/** What is known about a request or a stream that a service did not bring to its end. */
export interface ServiceErrorDetails {
  /** Close code of the WebSocket; absent when none was open. */
  readonly closeCode?: number;
  /** Status of the HTTP answer. */
  readonly httpStatus?: number;
  /** The body of the HTTP answer, when it was a problem. */
  readonly problem?: Problem;
  /** When the service asks to be left alone for a while. */
  readonly retryAfterSeconds?: number;
  /** As the service gave it. Default: empty. */
  readonly reason?: string;
  /** What to do about it, as one sentence. */
  readonly advice: string;
  /** Whether the same may be tried again. Default: false. */
  readonly retry?: boolean;
  readonly cause?: unknown;
}

/**
 * A service or the way to it failed: the base of the errors of live streams and of the HTTP client, which share those
 * classes that mean the same in both. Finals of a stream that came before are valid.
 */
export class ServiceError extends RxscribeError {
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

/** Whether what went wrong may be over at another try. */
export function mayPass(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.retry;
}

/** How a class of {@link ServiceError} is made. */
export type ServiceErrorClass = new (
  code: ErrorCode,
  message: string,
  details: ServiceErrorDetails,
) => ServiceError;

/** The access token is missing, wrong or too old. */
export class UnauthorizedError extends ServiceError {}
/** The service does not accept what was asked for. */
export class BadRequestError extends ServiceError {}
/** The account has too little credit left. */
export class OutOfCreditError extends ServiceError {
  /** Seconds that are left, when the service says so. */
  get currentBalance(): number | undefined {
    return this.problem?.currentBalance;
  }
}
/** The account does more at once than it may. */
export class TooManyRequestsError extends ServiceError {}
/** The service had a fault of its own. */
export class ServiceFailedError extends ServiceError {}
/** One side sent what the interface does not have. */
export class ProtocolError extends ServiceError {}
/** The connection broke, or the service stopped answering. */
export class ConnectionLostError extends ServiceError {}
/** No connection could be made: nothing there, refused, no such host, or something else at this address. */
export class UnreachableError extends ServiceError {}

/** The reason that a connection failed for; a refused one to a name with several addresses has a code, but no message. */
export function networkCause(cause: Error): string {
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}

/** What becomes of an answer or a close code of a service. */
export interface ErrorRow {
  readonly error: ServiceErrorClass;
  readonly code: ErrorCode;
  readonly advice: string;
  readonly retry?: boolean;
}

/** Over HTTP and on a stream alike. */
export const UNAUTHORIZED: ErrorRow = {
  error: UnauthorizedError,
  code: 'unauthorized',
  advice: 'Check the access token, or make a new one; accounts and tokens belong to one service and region.',
};

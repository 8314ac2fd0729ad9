import { type ErrorCode, RxscribeError } from '../../base/errors.ts';

/** What is known about the end of a stream. */
export interface StreamErrorDetails {
  /** Close code of the WebSocket; absent when no connection was open. */
  readonly closeCode?: number;
  /** Status of the HTTP answer that stood in the place of a WebSocket. */
  readonly httpStatus?: number;
  /** As the service gave it. Default: empty. */
  readonly reason?: string;
  /** What to do about it, as one sentence. */
  readonly advice: string;
  /** Whether the same session may be tried again. Default: false. */
  readonly retry?: boolean;
  readonly cause?: unknown;
}

/** A live stream ended in another way than by `EOS` and the last final. Finals that came before are valid. */
export class StreamError extends RxscribeError {
  readonly closeCode?: number;
  readonly httpStatus?: number;
  readonly reason: string;
  readonly advice: string;
  readonly retry: boolean;

  constructor(code: ErrorCode, message: string, details: StreamErrorDetails) {
    super(code, message, 'cause' in details ? { cause: details.cause } : undefined);
    if (details.closeCode !== undefined) this.closeCode = details.closeCode;
    if (details.httpStatus !== undefined) this.httpStatus = details.httpStatus;
    this.reason = details.reason ?? '';
    this.advice = details.advice;
    this.retry = details.retry ?? false;
  }
}

/** The access token is missing, wrong or too old. */
export class UnauthorizedError extends StreamError {}
/** The service does not accept the query. */
export class BadRequestError extends StreamError {}
/** The account has no credit left. */
export class OutOfCreditError extends StreamError {}
/** The account has as many streams open as it may. */
export class TooManyRequestsError extends StreamError {}
/** The service is going down; another one may take the stream. */
export class ShuttingDownError extends StreamError {}
/** No recogniser was free in time. */
export class NoInstanceError extends StreamError {}
/** The service had a fault of its own. */
export class ServiceFailedError extends StreamError {}
/** The service closed because no audio came. */
export class IdleError extends StreamError {}
/** One side sent what the interface does not have. */
export class ProtocolError extends StreamError {}
/** The connection broke, or the service stopped answering. */
export class ConnectionLostError extends StreamError {}
/** No connection could be made: nothing there, refused, no such host, or no stream at this address. */
export class UnreachableError extends StreamError {}
/** The service took too long to connect, to be ready, or to send the last final. */
export class StreamTimeoutError extends StreamError {}
/** More audio is unsent than may be kept. */
export class OverflowError extends StreamError {}

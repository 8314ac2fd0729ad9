import { oneLine } from '../base/text.ts';
import { CLOSE, type CloseRule } from '../protocol/closeCodes.ts';
import {
  BadRequestError,
  ConnectionLostError,
  type ErrorRow,
  IdleError,
  NoInstanceError,
  networkCause,
  OutOfCreditError,
  ProtocolError,
  type ServiceError,
  ServiceFailedError,
  ShuttingDownError,
  TooManyRequestsError,
  UNAUTHORIZED,
  UnreachableError,
} from './serviceErrors.ts';

/** The end of a connection, as reported by the socket. */
export interface SocketClose {
  /** False when the handshake did not succeed. */
  readonly opened: boolean;
  /** RFC 6455, section 7.4; 1006 when no close frame came. */
  readonly code: number;
  readonly reason: string;
  readonly httpStatus?: number;
  readonly cause?: Error;
}

const ROWS = {
  badRequest: {
    error: BadRequestError,
    code: 'bad-request',
    advice: 'Correct the option or the audio format that the reason names.',
  },
  outOfCredit: {
    error: OutOfCreditError,
    code: 'out-of-credit',
    advice: 'Add credit to the account; words after the last final are in the job of the session.',
  },
  shuttingDown: {
    error: ShuttingDownError,
    code: 'unavailable',
    advice: 'Connect again: another service, or the same one after its restart, will take the stream.',
  },
  tooManyRequests: {
    error: TooManyRequestsError,
    code: 'too-many-requests',
    advice: 'Close other streams of this account, or wait until one has ended.',
  },
  noInstance: {
    error: NoInstanceError,
    code: 'unavailable',
    advice: 'Try again later, or wait longer for a recogniser with maxConnectionWaitSeconds.',
  },
  serviceFailed: {
    error: ServiceFailedError,
    code: 'unavailable',
    advice: "Try again; if it happens again, look into the service's log.",
  },
  protocol: {
    error: ProtocolError,
    code: 'protocol',
    advice:
      'Check that the address is that of a service of this interface, and that nothing between changes it.',
  },
  lost: {
    error: ConnectionLostError,
    code: 'connection-lost',
    advice: 'Check the network and the service, then stream again from the end of the last final.',
    retry: true,
  },
  idle: {
    error: IdleError,
    code: 'timeout',
    advice: 'Send audio all the time, silence included, or end the stream when there is none.',
  },
  unreachable: {
    error: UnreachableError,
    code: 'unreachable',
    advice: 'Check the address, the network, and that the service is running.',
    retry: true,
  },
  noStream: {
    error: UnreachableError,
    code: 'unreachable',
    advice: 'Check the host and path of the address: something answers there, but not a stream.',
  },
} satisfies Record<string, ErrorRow>;

/** Errors by close code of the streaming interface; any other code is a {@link ConnectionLostError}. */
const BY_CLOSE_CODE: Readonly<Record<number, ErrorRow>> = {
  [CLOSE.unauthorized.code]: UNAUTHORIZED,
  [CLOSE.badRequest.code]: ROWS.badRequest,
  [CLOSE.outOfCredit.code]: ROWS.outOfCredit,
  [CLOSE.shuttingDown.code]: ROWS.shuttingDown,
  [CLOSE.noInstance.code]: ROWS.noInstance,
  [CLOSE.tooManyRequests.code]: ROWS.tooManyRequests,
  [CLOSE.internalError.code]: ROWS.serviceFailed,
  [CLOSE.unexpectedText.code]: ROWS.protocol,
  // RFC 6455, section 7.4.1: protocol error, unacceptable data, policy, too big, extension.
  1002: ROWS.protocol,
  1003: ROWS.protocol,
  1008: ROWS.protocol,
  1009: ROWS.protocol,
  1010: ROWS.protocol,
};

/** Errors by status of a failed handshake; other 5xx are {@link ServiceFailedError}, the rest {@link UnreachableError}. */
const BY_HTTP_STATUS: Readonly<Record<number, ErrorRow>> = {
  400: ROWS.badRequest,
  401: UNAUTHORIZED,
  403: UNAUTHORIZED,
  429: ROWS.tooManyRequests,
  503: ROWS.noInstance,
};

const RETRY_CODES: ReadonlySet<number> = new Set(
  Object.values<CloseRule>(CLOSE).flatMap(rule => (rule.retry ? [rule.code] : [])),
);

/** Returns the typed error of a connection that ended too early. */
export function closeError(close: SocketClose): ServiceError {
  const { opened, code, httpStatus, cause } = close;
  const reason = shownReason(close);
  if (httpStatus !== undefined) return httpError(httpStatus, reason);
  const row: ErrorRow = opened ? rowOf(close) : ROWS.unreachable;
  const why = cause ? `: ${oneLine(networkCause(cause))}` : '';
  return new row.error(row.code, `${opened ? endOf(close) : 'The service cannot be reached'}${why}.`, {
    ...(opened && { closeCode: code }),
    reason,
    advice: row.advice,
    retry: row.retry ?? RETRY_CODES.has(code),
    ...(cause && { cause }),
  });
}

/** Close code of a connection that ended without a close frame (RFC 6455, section 7.1.5). */
const NO_CLOSE_FRAME = 1006;

function endOf(close: SocketClose): string {
  const { code } = close;
  const reason = shownReason(close);
  const end =
    code === NO_CLOSE_FRAME
      ? 'the connection broke'
      : `the service closed it with ${code}${reason && ` (${reason})`}`;
  return `The stream ended without a transcript: ${end}`;
}

/** Returns the reason without control characters: the text is the peer's, and is shown in terminals. */
function shownReason({ reason }: SocketClose): string {
  return oneLine(reason).trim().slice(0, MAX_REASON_LENGTH);
}

/** Characters of a reason at most: a close frame has at most 123 bytes, but an HTTP status may have more. */
const MAX_REASON_LENGTH = 200;

function rowOf({ code, reason, cause }: SocketClose): ErrorRow {
  // The codes that ws gives to invalid frames.
  if (cause && 'code' in cause && String(cause.code).startsWith('WS_ERR_')) return ROWS.protocol;
  if (code === CLOSE.idle.code && reason === CLOSE.idle.reason) return ROWS.idle;
  return BY_CLOSE_CODE[code] ?? ROWS.lost;
}

function httpError(httpStatus: number, reason: string): ServiceError {
  const row: ErrorRow =
    BY_HTTP_STATUS[httpStatus] ?? (httpStatus >= 500 ? ROWS.serviceFailed : ROWS.noStream);
  const found = `${httpStatus}${reason && ` (${reason})`}`;
  return new row.error(row.code, `Cannot open a WebSocket: the service answered with HTTP status ${found}.`, {
    httpStatus,
    reason,
    advice: row.advice,
    retry: httpStatus >= 500,
  });
}

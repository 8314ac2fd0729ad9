import { messageOf } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';

/** PostgreSQL shuts down, crashed, starts up, or has no room or connections left (SQLSTATE classes 08, 53 and 57P). */
const SERVER_GONE = /^(08...|53...|57P0[1-5])$/;
/** A connection that broke, or never was. */
const CONNECTION_GONE = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** What the driver says without a code. */
const DRIVER_WORDS =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed))/;

/** Whether a query failed because there is no database to be reached, for the moment. */
export function isDatabaseGone(error: unknown): boolean {
  const { code, syscall, message } = error as Partial<NodeJS.ErrnoException>;
  if (syscall === 'connect') return true;
  return SERVER_GONE.test(code ?? '') || CONNECTION_GONE.test(code ?? '') || DRIVER_WORDS.test(message ?? '');
}

/** Whether an error says that the database cannot be reached, by itself or by its cause. */
export function isAway(error: unknown): boolean {
  return error instanceof Error && (isDatabaseGone(error) || isAway(error.cause));
}

/** Returns why a database cannot be reached, on one line: what the innermost cause says. */
export function unreachableReason(error: unknown): string {
  const { cause, errors } = Object(error) as { readonly cause?: unknown; readonly errors?: unknown };
  if (cause instanceof Error) return unreachableReason(cause);
  // Of a host with several addresses, each has an error of its own, and the whole has no message.
  if (Array.isArray(errors)) return [...new Set(errors.map(unreachableReason))].join(', ');
  return oneLine(messageOf(error));
}

/** No room on the disk, of a quota, of what the process may write to one file, or of PostgreSQL (SQLSTATE 53100). */
const OUT_OF_ROOM = /^(ENOSPC|EDQUOT|EFBIG|53100)$/;

/** Returns whether a write failed for want of room: it can be tried again when somebody has made some. */
export function isOutOfRoom(error: unknown): boolean {
  const { code, cause } = error as NodeJS.ErrnoException;
  return OUT_OF_ROOM.test(code ?? '') || (cause instanceof Error && isOutOfRoom(cause));
}

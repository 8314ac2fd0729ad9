import { messageOf } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';

/** PostgreSQL shuts down, crashed, starts up, or lacks space or connections (SQLSTATE classes 08, 53 and 57P). */
const SERVER_GONE = /^(08...|53...|57P0[1-5])$/;
/** A connection broke, or could not be made. */
const CONNECTION_GONE = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** Messages of the driver's errors without a code. */
const DRIVER_WORDS =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed))/;

/** Returns whether a query failed because the database is unreachable for the moment. */
export function isDatabaseGone(error: unknown): boolean {
  const { code, syscall, message } = error as Partial<NodeJS.ErrnoException>;
  if (syscall === 'connect') return true;
  return SERVER_GONE.test(code ?? '') || CONNECTION_GONE.test(code ?? '') || DRIVER_WORDS.test(message ?? '');
}

/** Returns whether an error, or one of its causes, is that of an unreachable database. */
export function isDatabaseUnreachable(error: unknown): boolean {
  return error instanceof Error && (isDatabaseGone(error) || isDatabaseUnreachable(error.cause));
}

/** A wrong user or password, or a database that does not exist (SQLSTATE classes 28 and 3D). */
const LOGIN_REFUSED = /^(28...|3D...)$/;

/** Returns whether a server refused a connection for its user, password or database. */
export function isLoginRefused(error: unknown): boolean {
  return LOGIN_REFUSED.test((error as Partial<NodeJS.ErrnoException>).code ?? '');
}

/** Returns the reason why a database is unreachable, on one line: the message of the innermost cause. */
export function unreachableReason(error: unknown): string {
  const { cause, errors } = Object(error) as { readonly cause?: unknown; readonly errors?: unknown };
  if (cause instanceof Error) return unreachableReason(cause);
  // A host with several addresses has an error for each, and no message of its own.
  if (Array.isArray(errors)) return [...new Set(errors.map(unreachableReason))].join(', ');
  return oneLine(messageOf(error));
}

/** No space on the disk, of a quota, in a file of limited size, or in PostgreSQL (SQLSTATE 53100). */
const OUT_OF_SPACE = /^(ENOSPC|EDQUOT|EFBIG|53100)$/;

/** Returns whether a write failed for lack of space: it can be repeated when there is some. */
export function isOutOfSpace(error: unknown): boolean {
  const { code, cause } = error as NodeJS.ErrnoException;
  return OUT_OF_SPACE.test(code ?? '') || (cause instanceof Error && isOutOfSpace(cause));
}

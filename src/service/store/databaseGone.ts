/** PostgreSQL shuts down, crashed, starts up, or has no room or connections left (SQLSTATE classes 08, 53 and 57P). */
const SERVER_GONE = /^(08...|53...|57P0[1-5])$/;
/** A connection that broke, or never was. */
const CONNECTION_GONE = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** What the driver says without a code. */
const DRIVER_WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed))/;

/** Whether a query failed because there is no database to be reached, for the moment. */
export function isDatabaseGone(error: unknown): boolean {
  const { code, syscall, message } = error as Partial<NodeJS.ErrnoException>;
  if (syscall === 'connect') return true;
  return SERVER_GONE.test(code ?? '') || CONNECTION_GONE.test(code ?? '') || DRIVER_WORDS.test(message ?? '');
}

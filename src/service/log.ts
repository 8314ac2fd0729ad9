import { type Logger, pino } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export const DEFAULT_LOG_LEVEL: LogLevel = 'info';

/** A log of JSON lines on stderr. Nobody hands it URLs with queries, headers or words; known names are cut as well. */
export function createLogger(level: LogLevel = DEFAULT_LOG_LEVEL): Logger {
  const redact = ['authorization', 'token', 'access_token'].flatMap(name => [name, `*.${name}`]);
  return pino({ level, redact }, pino.destination({ fd: 2, sync: true }));
}

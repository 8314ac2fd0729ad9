import { type Logger, pino } from 'pino';
import { DEFAULT_LOG_LEVEL, type LogLevel } from './logLevel.ts';

/** A log of JSON lines on stderr. Nobody hands it URLs with queries, headers or words; known names are cut as well. */
export function createLogger(level: LogLevel = DEFAULT_LOG_LEVEL): Logger {
  const redact = ['authorization', 'token', 'access_token'].flatMap(name => [name, `*.${name}`]);
  return pino({ level, redact }, pino.destination({ fd: 2, sync: true }));
}

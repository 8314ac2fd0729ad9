import { type Logger, pino } from 'pino';
import { DEFAULT_LOG_LEVEL, type LogLevel } from '../../base/logLevel.ts';

/** A log of JSON lines on stderr. */
export function createLogger(level: LogLevel = DEFAULT_LOG_LEVEL): Logger {
  return pino({ level }, pino.destination({ fd: 2, sync: true }));
}

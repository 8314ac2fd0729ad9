import { type Logger, pino } from 'pino';
import { LOG_DEFAULTS, type LogLevel } from '../../base/logLevel.ts';

/** A log of JSON lines on stderr. */
export function createLogger(level: LogLevel = LOG_DEFAULTS.level): Logger {
  return pino({ level }, pino.destination({ fd: 2, sync: true }));
}

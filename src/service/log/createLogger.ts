import { type Logger, pino } from 'pino';
import { LOG_DEFAULTS, type LogLevel } from '../../base/logLevel.ts';

/** Creates a log of JSON lines on stderr. */
export function createLogger(level: LogLevel = LOG_DEFAULTS.level): Logger {
  return pino({ level }, pino.destination({ fd: 2, sync: true }));
}

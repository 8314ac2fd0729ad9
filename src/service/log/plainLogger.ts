import { type Logger, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { LOG_DEFAULTS, type LogLevel } from '../../base/logLevel.ts';

/** Control characters, except new lines, as JSON escapes them; and backslashes, which may precede what looks like one. */
const CONTROLS = /\\\\|\\[bfrt]|\\u00[01][0-9a-f]/g;
/** Control characters that JSON does not escape. */
const OTHER_CONTROLS = /\p{Cc}/gu;

/** Creates a log for people: one line per record on stderr, with colours if the terminal has them and NO_COLOR is not set. */
export function plainLogger(
  level: LogLevel = LOG_DEFAULTS.level,
  output: NodeJS.WriteStream = process.stderr,
): Logger {
  const format = prettyFactory({
    colorize: output.isTTY && output.hasColors(),
    singleLine: true,
    translateTime: 'SYS:yyyy-mm-dd HH:MM:ss',
    ignore: 'pid,hostname',
    messageFormat: (record, name) => String(record[name] ?? '').replaceAll(/\s*\n\s*/g, ' '),
  });
  const write = (line: string) => {
    // Control characters sent by a client must not reach the terminal.
    const safe = line
      .replace(CONTROLS, found => (found === '\\\\' ? found : ' '))
      .replace(OTHER_CONTROLS, ' ');
    output.write(format(safe) ?? '');
  };
  return pino({ level }, { write });
}

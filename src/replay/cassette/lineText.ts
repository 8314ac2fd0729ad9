import type { CassetteFileLine } from './cassetteSchema.ts';
import { messageJson } from './messageText.ts';

/** Lines with what others said, or asked for in words of their own. */
const FOREIGN: ReadonlySet<CassetteFileLine['type']> = new Set([
  'connect',
  'message',
  'close',
  'status',
  'event',
]);

/** What a line cannot be read or played without. */
const NEEDED: ReadonlySet<string> = new Set(['type', 'by', 'cause', 'content_type', 'start_ts']);

/** A line as the file has it. `hide` takes secrets out of a text; names of fields and numbers stay. */
export function lineText(line: CassetteFileLine, hide: (text: string) => string): string {
  if (!FOREIGN.has(line.type)) return JSON.stringify(line);
  return JSON.stringify(readable(line, hide), (key, value: unknown) =>
    typeof value === 'string' && !NEEDED.has(key) ? hide(value) : value,
  );
}

/** In a message that is JSON, names of fields are no secrets, however it is printed. */
function readable(line: CassetteFileLine, hide: (text: string) => string): CassetteFileLine {
  if (line.type !== 'message' || line.text === undefined || hide(line.text) === line.text) return line;
  const message = messageJson(line);
  const { text: _text, ...rest } = line;
  return message === undefined ? line : { ...rest, message };
}

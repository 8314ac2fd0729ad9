import { jsonOf } from '../../../transcript/formats/jsonOf.ts';
import { CassetteError } from '../cassetteError.ts';
import { CASSETTE_LIMITS } from '../cassetteLimits.ts';
import { messageEvent } from '../cassetteLines.ts';
import { fileLines } from '../read/textLines.ts';

/** A message of a log. */
export interface LoggedMessage {
  /** Text as it was received. */
  readonly text: string;
  /** Milliseconds since the log began, when known. */
  readonly ms?: number;
  /** End of its words in seconds; undefined for a message without words. */
  readonly endTs?: number;
}

/**
 * Reads a log of the messages of a service: JSON Lines, each a message alone or `{"ms": 120, "message": {…}}` with its
 * time.
 *
 * @throws CassetteError with the line, for any other file
 * @throws the signal's reason
 */
export async function readMessageLog(
  path: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<readonly LoggedMessage[]> {
  const { textBytes, messageBytes } = CASSETTE_LIMITS;
  const place = { path, kind: 'message log' };
  const messages: LoggedMessage[] = [];
  let bytes = 0;
  let lastMs = 0;
  let isKnown = false;
  for await (const line of fileLines(place, signal)) {
    const fail = (fault: string): never => {
      throw new CassetteError({ ...place, line: line.number }, fault);
    };
    const message = parseLine(line.text, fail);
    const { text, ms = lastMs } = message;
    if (ms < lastMs) fail(`expected a time of ${lastMs} ms or later, found ${ms}`);
    lastMs = ms;
    bytes += line.bytes;
    if (bytes > textBytes) fail(`expected at most ${textBytes} bytes, found more`);
    if (text.length > messageBytes) fail(`expected a message of at most ${messageBytes} bytes, found more`);
    const words = wordsOf(text);
    isKnown ||= words !== undefined;
    messages.push({ ...message, ...words });
  }
  if (isKnown) return messages;
  throw new CassetteError(place, 'expected messages of type connected, partial or final, found none');
}

function parseLine(text: string, fail: (fault: string) => never): Pick<LoggedMessage, 'text' | 'ms'> {
  const json = jsonOf(text);
  if (typeof json !== 'object' || json === null) fail('expected a message in JSON, found something else');
  const { type, ms, message } = json as { type?: unknown; ms?: unknown; message?: unknown };
  if (typeof type === 'string') return { text: text.trim() };
  if (ms !== undefined && !isTime(ms)) return fail('expected ms from 0 on, found something else');
  if (typeof message === 'object' && message !== null) {
    return { text: JSON.stringify(message), ms };
  }
  return fail('expected a message with a type, or ms and message, found neither');
}

function isTime(ms: unknown): ms is number {
  return typeof ms === 'number' && ms >= 0 && ms <= 1e12;
}

/** Returns the end of the words of a message; undefined for a message that no client understands. */
function wordsOf(text: string): Pick<LoggedMessage, 'endTs'> | undefined {
  const event = messageEvent(text);
  if (!event) return undefined;
  return event.type === 'connected' ? {} : { endTs: event.endTs };
}

import { createReadStream } from 'node:fs';
import { reasonOf } from '../../../base/errors.ts';
import { decodeMessage } from '../../../protocol/messages.ts';
import { CassetteError, type CassettePlace } from '../cassetteError.ts';
import { CASSETTE_LIMITS } from '../cassetteLimits.ts';
import { type FileLine, textLines } from '../read/textLines.ts';

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
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly LoggedMessage[]> {
  const { signal } = options;
  const place = { path, kind: 'message log' };
  const log = new MessageLog(place);
  try {
    for await (const line of textLines(place, createReadStream(path, { signal }))) log.push(line);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof CassetteError) throw cause;
    throw new CassetteError(place, reasonOf(cause), { cause });
  }
  return log.end();
}

/** Collects the lines of a log. */
class MessageLog {
  readonly #place: CassettePlace;
  readonly #messages: LoggedMessage[] = [];
  #bytes = 0;
  #lastMs = 0;
  #isKnown = false;

  constructor(place: CassettePlace) {
    this.#place = place;
  }

  push(line: FileLine): void {
    const fail = (fault: string): never => {
      throw new CassetteError({ ...this.#place, line: line.number }, fault);
    };
    const message = parseLine(line.text, fail);
    const { text, ms = this.#lastMs } = message;
    if (ms < this.#lastMs) fail(`expected a time of ${this.#lastMs} ms or later, found ${ms}`);
    this.#lastMs = ms;
    this.#bytes += line.bytes;
    const { textBytes, messageBytes } = CASSETTE_LIMITS;
    if (this.#bytes > textBytes) fail(`expected at most ${textBytes} bytes, found more`);
    if (text.length > messageBytes) fail(`expected a message of at most ${messageBytes} bytes, found more`);
    const words = wordsOf(text);
    this.#isKnown ||= words !== undefined;
    this.#messages.push({ ...message, ...words });
  }

  end(): readonly LoggedMessage[] {
    if (this.#isKnown) return this.#messages;
    throw new CassetteError(this.#place, 'expected messages of type connected, partial or final, found none');
  }
}

function parseLine(text: string, fail: (fault: string) => never): Pick<LoggedMessage, 'text' | 'ms'> {
  const json = jsonOf(text);
  if (typeof json !== 'object' || json === null) fail('expected a message in JSON, found something else');
  const { type, ms, message } = json as { type?: unknown; ms?: unknown; message?: unknown };
  if (typeof type === 'string') return { text: text.trim() };
  const isTime = ms === undefined || (typeof ms === 'number' && ms >= 0 && ms <= 1e12);
  if (!isTime) fail('expected ms from 0 on, found something else');
  if (typeof message === 'object' && message !== null) {
    return { text: JSON.stringify(message), ...(ms !== undefined && { ms: ms as number }) };
  }
  return fail('expected a message with a type, or ms and message, found neither');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the end of the words of a message; undefined for a message that no client understands. */
function wordsOf(text: string): Pick<LoggedMessage, 'endTs'> | undefined {
  try {
    const { event } = decodeMessage(text);
    return event.type === 'connected' ? {} : { endTs: event.endTs };
  } catch {
    return undefined;
  }
}

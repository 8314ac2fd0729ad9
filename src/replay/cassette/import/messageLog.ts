import { createReadStream } from 'node:fs';
import { messageOf } from '../../../base/errors.ts';
import { decodeMessage } from '../../../protocol/messages.ts';
import { CassetteError, type CassettePlace } from '../cassetteError.ts';
import { CASSETTE_LIMITS } from '../cassetteLimits.ts';
import { type FileLine, textLines } from '../read/textLines.ts';

/** A message of a log. */
export interface LoggedMessage {
  /** As it came. */
  readonly text: string;
  /** Milliseconds since the log began, where it says so. */
  readonly ms?: number;
  /** Where its words end, in seconds; undefined of a message without any. */
  readonly endTs?: number;
}

/**
 * Reads a log of what a service said: JSON Lines of its messages alone, or each one as `{"ms": 120, "message": {…}}` with
 * the time at which it came.
 *
 * @throws CassetteError with the line: for what is no such log
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
    throw new CassetteError(place, messageOf(cause), { cause });
  }
  return log.end();
}

/** Takes the lines of a log. */
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
    if (ms < this.#lastMs) fail(`wanted a time of ${this.#lastMs} ms or later, found ${ms}`);
    this.#lastMs = ms;
    this.#bytes += line.bytes;
    const { textBytes, messageBytes } = CASSETTE_LIMITS;
    if (this.#bytes > textBytes) fail(`wanted at most ${textBytes} bytes, found more`);
    if (text.length > messageBytes) fail(`wanted a message of at most ${messageBytes} bytes, found more`);
    const words = wordsOf(text);
    this.#isKnown ||= words !== undefined;
    this.#messages.push({ ...message, ...words });
  }

  end(): readonly LoggedMessage[] {
    if (this.#isKnown) return this.#messages;
    throw new CassetteError(this.#place, 'wanted messages of type connected, partial or final, found none');
  }
}

function parseLine(text: string, fail: (fault: string) => never): Pick<LoggedMessage, 'text' | 'ms'> {
  const json = jsonOf(text);
  if (typeof json !== 'object' || json === null) fail('wanted a message in JSON, found something else');
  const { type, ms, message } = json as { type?: unknown; ms?: unknown; message?: unknown };
  if (typeof type === 'string') return { text: text.trim() };
  const isTime = ms === undefined || (typeof ms === 'number' && ms >= 0 && ms <= 1e12);
  if (!isTime) fail('wanted ms from 0 on, found something else');
  if (typeof message === 'object' && message !== null) {
    return { text: JSON.stringify(message), ...(ms !== undefined && { ms: ms as number }) };
  }
  return fail('wanted a message with a type, or ms and message, found neither');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined of what no client understands. */
function wordsOf(text: string): Pick<LoggedMessage, 'endTs'> | undefined {
  try {
    const { event } = decodeMessage(text);
    return event.type === 'connected' ? {} : { endTs: event.endTs };
  } catch {
    return undefined;
  }
}

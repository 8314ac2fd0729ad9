import { createReadStream } from 'node:fs';
import { messageOf } from '../../base/errors.ts';
import { decodeMessage } from '../../protocol/messages.ts';
import { CassetteError } from './cassetteError.ts';
import { CASSETTE_LIMITS } from './cassetteLimits.ts';
import { textLines } from './textLines.ts';

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
  const messages: LoggedMessage[] = [];
  let bytes = 0;
  let isKnown = false;
  let lastMs = 0;
  try {
    for await (const line of textLines(place, createReadStream(path, { signal }))) {
      const fail = (fault: string): never => {
        throw new CassetteError({ ...place, line: line.number }, fault);
      };
      const message = parseLine(line.text, fail);
      bytes += line.bytes;
      if (bytes > CASSETTE_LIMITS.textBytes)
        fail(`wanted at most ${CASSETTE_LIMITS.textBytes} bytes, found more`);
      if (message.ms !== undefined) {
        if (message.ms < lastMs) fail(`wanted a time of ${lastMs} ms or later, found ${message.ms}`);
        lastMs = message.ms;
      }
      const words = wordsOf(message.text);
      isKnown ||= words !== undefined;
      messages.push({ ...message, ...words });
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof CassetteError) throw cause;
    throw new CassetteError(place, messageOf(cause), { cause });
  }
  if (!isKnown)
    throw new CassetteError(place, 'wanted messages of type connected, partial or final, found none');
  return messages;
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

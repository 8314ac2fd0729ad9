import { encodeMessage } from '../../../protocol/messages.ts';
import { jsonOf } from '../../../transcript/formats/jsonOf.ts';
import type { TranscriptEvent } from '../../../transcript/model/events.ts';
import { CassetteError } from '../cassetteError.ts';
import { CASSETTE_LIMITS } from '../cassetteLimits.ts';
import { messageEvent } from '../cassetteLines.ts';
import { fileLines } from '../read/textLines.ts';
import { type Heard, heardIn } from './heardIn.ts';

/** A message of a log, as this service writes it. */
export interface LoggedMessage {
  /** Text as received. A message of another service is converted to this interface. */
  readonly text: string;
  /** Milliseconds since the log began, when known. */
  readonly ms?: number;
  /** The decoded message; undefined if a client cannot decode it. */
  readonly event?: TranscriptEvent;
  /** Turn of {@link Heard}. */
  readonly turn?: unknown;
  /** End of its words in seconds; undefined for a message without words. */
  readonly endTs?: number;
}

/**
 * Reads a log of the messages of a service: JSON Lines, each a message alone or `{"ms": 120, "message": {…}}` with its
 * time. Messages and results of Deepgram, AssemblyAI and Azure are converted.
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
  for await (const line of fileLines(place, signal)) {
    const fail = (fault: string): never => {
      throw new CassetteError({ ...place, line: line.number }, fault);
    };
    bytes += line.bytes;
    if (bytes > textBytes) fail(`expected at most ${textBytes} bytes, found more`);
    const { text, ms, heard } = parseLine(line.text, fail);
    if (ms !== undefined && ms < lastMs) fail(`expected a time of ${lastMs} ms or later, found ${ms}`);
    lastMs = ms ?? lastMs;
    const found: readonly Pick<LoggedMessage, 'event' | 'turn'>[] = heard ?? [{ event: messageEvent(text) }];
    for (const { event, turn } of found) {
      const sent = heard && event ? JSON.stringify(encodeMessage(event)) : text;
      if (sent.length > messageBytes) fail(`expected a message of at most ${messageBytes} bytes, found more`);
      const endTs = event && 'endTs' in event ? event.endTs : undefined;
      messages.push({ text: sent, ms, event, turn, endTs });
    }
  }
  const lastOfTurn = new Map(messages.map(message => [message.turn, message]));
  const read = messages.filter(
    message => message.turn === undefined || lastOfTurn.get(message.turn) === message,
  );
  if (read.some(({ event }) => event)) return read;
  throw new CassetteError(
    place,
    'expected messages of type connected, partial or final, or results of Deepgram, AssemblyAI or Azure, found none',
  );
}

/** Names of the kind of a message, in the messages of each service. */
const KINDS = ['type', 'message_type', 'RecognitionStatus'];

function parseLine(
  text: string,
  fail: (fault: string) => never,
): Pick<LoggedMessage, 'text' | 'ms'> & { readonly heard?: readonly Heard[] } {
  const json = jsonOf(text);
  if (typeof json !== 'object' || json === null)
    return fail('expected a message in JSON, found something else');
  const fields = json as Readonly<Record<string, unknown>>;
  const heard = heardIn(json, fail);
  if (heard || KINDS.some(kind => typeof fields[kind] === 'string')) return { text: text.trim(), heard };
  const { ms, message } = fields;
  if (ms !== undefined && !(typeof ms === 'number' && ms >= 0 && ms <= 1e12))
    return fail('expected ms from 0 on, found something else');
  if (typeof message === 'object' && message !== null) {
    return { text: JSON.stringify(message), ms, heard: heardIn(message, fail) };
  }
  return fail('expected a message with a type, or ms and message, found neither');
}

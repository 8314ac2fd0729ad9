import { decodeMessage } from '../../../protocol/messages.ts';
import type { TranscriptEvent } from '../../../transcript/model/events.ts';

/** A partial or a final as it goes on the wire, of which only the times are looked at. */
export interface WordsMessage {
  readonly type: 'partial' | 'final';
  readonly ts: number;
  readonly end_ts: number;
  readonly elements: readonly WireElement[];
  readonly [field: string]: unknown;
}

interface WireElement {
  readonly type?: unknown;
  readonly ts?: number;
  readonly end_ts?: number;
  readonly [field: string]: unknown;
}

/** What a client reads in a recorded text frame; undefined where it can read nothing. */
export function eventOfText(text: string): TranscriptEvent | undefined {
  try {
    return decodeMessage(text).event;
  } catch {
    return undefined;
  }
}

/** A recorded text frame as it went on the wire, when it is one with words. */
export function wordsOfText(text: string): WordsMessage | undefined {
  const event = eventOfText(text);
  return event && event.type !== 'connected' ? (JSON.parse(text) as WordsMessage) : undefined;
}

/** The same words so many seconds later. */
export function laterBy(words: WordsMessage, seconds: number): WordsMessage {
  if (Math.abs(seconds) < 1e-6) return words;
  return {
    ...words,
    ...moved(words, seconds),
    elements: words.elements.map(e => ({ ...e, ...moved(e, seconds) })),
  };
}

/** What of a final lies behind a moment; undefined when no word does. A word lies where its middle is. */
export function wordsFrom(words: WordsMessage, seconds: number): WordsMessage | undefined {
  const first = words.elements.findIndex(
    ({ type, ts, end_ts }) => type === 'text' && ts !== undefined && (ts + (end_ts ?? ts)) / 2 >= seconds,
  );
  const at = words.elements[first];
  if (!at) return undefined;
  return first === 0 ? words : { ...words, ts: at.ts!, elements: words.elements.slice(first) };
}

/** Times on the wire have hundredths; three places keep what a service gave that is finer. */
function moved({ ts, end_ts }: { readonly ts?: number; readonly end_ts?: number }, seconds: number) {
  const later = (time: number) => Math.round((time + seconds) * 1000) / 1000;
  return {
    ...(ts !== undefined && { ts: later(ts) }),
    ...(end_ts !== undefined && { end_ts: later(end_ts) }),
  };
}

import { messageEvent } from '../../cassette/cassetteLines.ts';

/** The times of a partial or final on the wire. */
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

/** Returns a recorded text frame as it was on the wire, if it has words. */
export function wordsOfText(text: string): WordsMessage | undefined {
  const event = messageEvent(text);
  return event && event.type !== 'connected' ? (JSON.parse(text) as WordsMessage) : undefined;
}

/** Shifts words by a number of seconds. */
export function laterBy(words: WordsMessage, seconds: number): WordsMessage {
  if (Math.abs(seconds) < 1e-6) return words;
  return {
    ...words,
    ...moved(words, seconds),
    elements: words.elements.map(e => ({ ...e, ...moved(e, seconds) })),
  };
}

/** Returns the part of a final after a time; undefined when it has no word there. The place of a word is its middle. */
export function wordsFrom(words: WordsMessage, seconds: number): WordsMessage | undefined {
  const first = words.elements.findIndex(
    ({ type, ts, end_ts }) => type === 'text' && ts !== undefined && (ts + (end_ts ?? ts)) / 2 >= seconds,
  );
  const at = words.elements[first];
  if (!at) return undefined;
  return first === 0 ? words : { ...words, ts: at.ts ?? words.ts, elements: words.elements.slice(first) };
}

/** Shifts times, rounded to three decimals: times on the wire have two, but a service may be finer. */
function moved({ ts, end_ts }: { readonly ts?: number; readonly end_ts?: number }, seconds: number) {
  const later = (time: number) => Math.round((time + seconds) * 1000) / 1000;
  return {
    ...(ts !== undefined && { ts: later(ts) }),
    ...(end_ts !== undefined && { end_ts: later(end_ts) }),
  };
}

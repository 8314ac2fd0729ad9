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

/** Returns words with other times. */
export function placedBy(words: WordsMessage, place: Place): WordsMessage {
  return {
    ...words,
    ...placed(words, place),
    elements: words.elements.map(element => ({ ...element, ...placed(element, place) })),
  };
}

/** Returns another time for a start or an end in seconds. */
type Place = (seconds: number, isEnd: boolean) => number;

/** Returns the part of a final after a time; undefined when it has no word there. The place of a word is its middle. */
export function wordsFrom(words: WordsMessage, seconds: number): WordsMessage | undefined {
  const first = words.elements.findIndex(
    ({ type, ts, end_ts }) => type === 'text' && ts !== undefined && (ts + (end_ts ?? ts)) / 2 >= seconds,
  );
  const at = words.elements[first];
  if (!at) return undefined;
  return first === 0 ? words : { ...words, ts: at.ts ?? words.ts, elements: words.elements.slice(first) };
}

/** Returns other times, rounded to three decimals: times on the wire have two, but a service may be finer. */
function placed({ ts, end_ts }: { readonly ts?: number; readonly end_ts?: number }, place: Place) {
  const rounded = (time: number, isEnd: boolean) => Math.round(place(time, isEnd) * 1000) / 1000;
  return {
    ...(ts !== undefined && { ts: rounded(ts, false) }),
    ...(end_ts !== undefined && { end_ts: rounded(end_ts, true) }),
  };
}

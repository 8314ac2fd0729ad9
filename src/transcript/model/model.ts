import type { Coverage } from './coverage.ts';

/** A word, with its times in the audio. */
export interface TextElement {
  readonly type: 'text';
  readonly value: string;
  /** Start in seconds since the start of the audio. Absent in partials without detail. */
  readonly ts?: number;
  /** End in seconds. Absent in partials without detail. */
  readonly endTs?: number;
  /** Confidence from 0 to 1; absent when the recogniser gives none. */
  readonly confidence?: number;
}

/**
 * Confidence below which a word is uncertain, chosen on two thirds of the recordings of `bench engines/conditions`, streamed
 * as they are, over telephone, and with noise and voices: of 3258 words, 64 of the 163 wrong ones are below it, and 153 right
 * ones. Of 1012 others, 22 of 40 wrong ones are, and 34 right ones. From 0.65 to 0.75 the balance of both (F1) is the same;
 * the lowest marks the fewest words.
 */
export const UNCERTAIN_BELOW = 0.65;

/** Punctuation or white space between words; a single space is an element of its own. */
export interface PunctElement {
  readonly type: 'punct';
  readonly value: string;
}

/** Speech that could not be understood, such as `<inaudible>`. */
export interface UnknownElement {
  readonly type: 'unknown';
  readonly value: string;
  /** Span in seconds in live transcripts, where it is an utterance of its own. */
  readonly ts?: number;
  readonly endTs?: number;
}

export type TranscriptElement = TextElement | PunctElement | UnknownElement;

/** A turn: consecutive elements of one speaker. */
export interface Monologue {
  /** Speaker number, from 0. */
  readonly speaker: number;
  readonly speakerInfo?: { readonly id: string; readonly displayName: string };
  /** Channel, where each is streamed on its own. Captions of different channels may be on screen at once. Default 0. */
  readonly channel?: number;
  readonly elements: readonly TranscriptElement[];
}

/** A transcript, of a live session or an asynchronous job. */
export interface Transcript {
  readonly monologues: readonly Monologue[];
  /** Set for live transcripts: the audio that has text, is silent, or was not transcribed. */
  readonly coverage?: Coverage;
}

export const emptyTranscript: Transcript = { monologues: [] };

/**
 * Returns the text of elements: their values joined, with a space between two words that have no `punct` element between them,
 * and `[inaudible]` for `<inaudible>`.
 *
 * @example
 * import { textOf } from 'rxscribe';
 *
 * textOf([
 *   { type: 'text', value: 'Good' },
 *   { type: 'text', value: 'morning' },
 *   { type: 'punct', value: '.' },
 * ]); // 'Good morning.'
 */
export function textOf(elements: readonly TranscriptElement[]): string {
  return writtenOut(elements).text;
}

/** Returns the text of elements, as {@link textOf} does, with the offset of each. */
export function writtenOut(elements: readonly TranscriptElement[]) {
  const starts: number[] = [];
  let text = '';
  for (const [index, element] of elements.entries()) {
    const previous = elements[index - 1];
    if (previous && previous.type !== 'punct' && element.type !== 'punct') text += ' ';
    starts.push(text.length);
    text += writtenElement(element);
  }
  return { text, starts };
}

/** Returns the text of an element: its value, `[inaudible]` for `<inaudible>`. */
export function writtenElement({ type, value }: TranscriptElement): string {
  return type === 'unknown' ? value.replace(/^<(.*)>$/su, '[$1]') : value;
}

/**
 * Returns the start of the first and the end of the last timed word in seconds, or undefined when no word has times.
 *
 * @example
 * import { spanOf } from 'rxscribe';
 *
 * spanOf([{ type: 'text', value: 'Hello', ts: 0.5, endTs: 0.9 }]); // { ts: 0.5, endTs: 0.9 }
 */
export function spanOf(elements: readonly TranscriptElement[]): { ts: number; endTs: number } | undefined {
  let span: { ts: number; endTs: number } | undefined;
  for (const element of elements) {
    if (element.type !== 'text' || element.ts === undefined) continue;
    const { ts, endTs = ts } = element;
    span = { ts: span?.ts ?? ts, endTs };
  }
  return span;
}

/** Removes all `punct` elements, spaces included, and monologues that have nothing else. */
export function withoutPunct({ monologues }: Transcript): Transcript {
  const bare = monologues.map(monologue => ({
    ...monologue,
    elements: monologue.elements.filter(({ type }) => type !== 'punct'),
  }));
  return { monologues: bare.filter(({ elements }) => elements.length > 0) };
}

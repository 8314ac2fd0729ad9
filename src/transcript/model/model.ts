import type { Coverage } from './coverage.ts';

/** A word, with its place in the audio in seconds. */
export interface TextElement {
  readonly type: 'text';
  readonly value: string;
  /** Start in seconds since the start of the audio. Absent in partials without detail. */
  readonly ts?: number;
  /** End in seconds. Absent in partials without detail. */
  readonly endTs?: number;
  /** 0 to 1; absent when the recogniser gives none. */
  readonly confidence?: number;
}

/** Punctuation or white space between words: a single space is an element of its own. */
export interface PunctElement {
  readonly type: 'punct';
  readonly value: string;
}

/** Speech that could not be understood, such as `<inaudible>`. */
export interface UnknownElement {
  readonly type: 'unknown';
  readonly value: string;
}

export type TranscriptElement = TextElement | PunctElement | UnknownElement;

/** What one speaker said before another spoke. */
export interface Monologue {
  /** Speakers count from 0. */
  readonly speaker: number;
  readonly speakerInfo?: { readonly id: string; readonly displayName: string };
  readonly elements: readonly TranscriptElement[];
}

/** The one model of a transcript: live sessions and asynchronous jobs give the same. */
export interface Transcript {
  readonly monologues: readonly Monologue[];
  /** Of live transcripts: which audio has text, which is silent, and which was not heard. */
  readonly coverage?: Coverage;
}

export const emptyTranscript: Transcript = { monologues: [] };

/** The text of elements as written: values joined, with single spaces where no `punct` element spaces them. */
export function textOf(elements: readonly TranscriptElement[]): string {
  let text = '';
  let previous: TranscriptElement | undefined;
  for (const element of elements) {
    if (previous && previous.type !== 'punct' && element.type !== 'punct') text += ' ';
    text += element.value;
    previous = element;
  }
  return text;
}

/** Start and end in seconds of the timed words among elements, or undefined when none has times. */
export function spanOf(elements: readonly TranscriptElement[]): { ts: number; endTs: number } | undefined {
  const timed = elements.filter(
    element => element.type === 'text' && element.ts !== undefined,
  ) as TextElement[];
  const [first] = timed;
  const last = timed.at(-1);
  return first && last ? { ts: first.ts!, endTs: last.endTs ?? last.ts! } : undefined;
}

/** A transcript without punctuation, spaces included; monologues of nothing else are left out. */
export function withoutPunct({ monologues }: Transcript): Transcript {
  const bare = monologues.map(monologue => ({
    ...monologue,
    elements: monologue.elements.filter(({ type }) => type !== 'punct'),
  }));
  return { monologues: bare.filter(({ elements }) => elements.length > 0) };
}

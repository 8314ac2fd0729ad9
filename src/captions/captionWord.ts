import { type Token, wordKey } from '../transcript/text/tokens.ts';

/** A word that is shown, for good. */
export interface CaptionWord {
  /** Counts up from 0. */
  readonly id: number;
  readonly text: string;
  /** Another speaker begins here. */
  readonly opensTurn?: boolean;
  /** The id of the word that was wrong: worth showing only while that one can be seen. */
  readonly corrects?: number;
  /** Stands apart: what is said next begins a row. */
  readonly aside?: boolean;
}

/** Stands before the right words where wrong ones were shown. */
export const CORRECTION_MARK = '-- ';

/** A word of a hypothesis. */
export interface Heard {
  /** What other spellings of the word share. */
  readonly key: string;
  readonly text: string;
  /** Seconds, where the hypothesis has detail. */
  readonly ts?: number;
}

/** A word of the utterance in progress that is shown. */
export interface Shown extends Heard {
  readonly id: number;
  /** Seconds of audio before which it was said. */
  readonly saidBefore: number;
}

export const keyOf = (word: Heard) => word.key;

export function heardOf({ text, ts }: Token): Heard {
  return { text, key: wordKey(text), ...(ts !== undefined && { ts }) };
}

import { misfitOfWay } from './misfit.ts';

/** A step between two states, said or silent. */
export interface Arc {
  readonly from: number;
  readonly to: number;
  /** What is said; silent without. */
  readonly label?: string;
  readonly probability: number;
}

/** What may be said: every way from one state to another. */
export interface Grammar {
  readonly states: number;
  readonly start: number;
  readonly end: number;
  readonly arcs: readonly Arc[];
}

/** Weights by trial on recordings with 300 words: more of them found costs more that are found where they are not. */
const SOUND = 1e-7;
const ENTER = 1e-4;
const LEAVE = 1e-4;
const SKIP = 1e-8;
/** Words that may be left out in a row without leaving the text. */
export const MAX_SKIPPED = 2;

/** What the way to a word adds to its misfit: from elsewhere, and over so many others. */
export const misfitOfTurning = misfitOfWay(ENTER);
export const misfitOfSkipping = (skipped: number) => skipped * misfitOfWay(SKIP);

/**
 * Speech that follows a text, more or less: the text may be entered and left at any word, some of its words may be left
 * out, and whatever else is said is a row of sounds.
 *
 * @param words labels of the words of the text, in order
 * @param expected the place in it where speech is likely to go on
 * @param sounds labels of all the sounds of the language
 */
export function textGrammar(words: readonly string[], expected: number, sounds: readonly string[]): Grammar {
  /** After each word there is a state; all else happens in this one. */
  const elsewhere = words.length;
  const [start, end] = [elsewhere + 1, elsewhere + 2];
  const arcs: Arc[] = [
    { from: start, to: elsewhere, probability: 1 },
    { from: start, to: end, probability: 1 },
    { from: elsewhere, to: end, probability: 1 },
    ...sounds.map(label => ({ from: elsewhere, to: elsewhere, label, probability: SOUND })),
  ];
  for (const [word, label] of words.entries()) {
    arcs.push(
      { from: elsewhere, to: word, label, probability: ENTER },
      { from: word, to: elsewhere, probability: LEAVE },
      { from: word, to: end, probability: word === words.length - 1 ? 1 : LEAVE },
    );
    if (word === expected) arcs.push({ from: start, to: word, label, probability: 1 });
    for (let skipped = 0; skipped <= MAX_SKIPPED; skipped++) {
      const from = word - 1 - skipped;
      if (from >= 0) arcs.push({ from, to: word, label, probability: SKIP ** skipped });
    }
  }
  return { states: words.length + 3, start, end, arcs };
}

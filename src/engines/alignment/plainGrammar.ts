import { misfitOfWay } from './misfit.ts';
import type { Arc, Grammar } from './textGrammar.ts';

/** Probability of a word: without, one more would be heard in the breath at the end. */
const WORD = 1e-6;
/** What that adds to the misfit of one. */
export const misfitOfWord = misfitOfWay(WORD);

/**
 * Speech that is just what a text says, up to any of its words or none; takes a tenth of the time of a grammar in which it may
 * say something else.
 *
 * @param words labels of the words of the text, in order
 */
export function plainGrammar(words: readonly string[]): Grammar {
  const end = words.length + 1;
  const arcs = words.flatMap((label, word): Arc[] => [
    { from: word, to: word + 1, label, probability: WORD },
    { from: word + 1, to: end, probability: 1 },
  ]);
  arcs.push({ from: 0, to: end, probability: 1 });
  return { states: words.length + 2, start: 0, end, arcs };
}

import type { Grammar } from '../alignment/textGrammar.ts';
import type { SoundingWord } from './soundingWords.ts';

/** The words of a language, any of which may follow any other. */
export interface WordLoop {
  readonly grammar: Grammar;
  /** Words that the decoder has to learn. */
  readonly words: readonly LoopWord[];
}

export interface LoopWord {
  /** The word in the grammar. */
  readonly label: string;
  /** Its sound, as {@link SoundingWord} has it. */
  readonly letters: string;
  /** The logarithm of how likely it is. */
  readonly logProbability: number;
}

/**
 * Powers of the probabilities of words in a search: with 1, those of sounds, which are far more, would count for nearly
 * all; with 6, a search is a third faster and its scores tell less.
 */
export const SEARCH_WEIGHT = 3;

/** Returns the loop over the words of a language, each as likely as its count says. */
export function wordLoopOf(language: string, words: readonly SoundingWord[]): WordLoop {
  const total = words.reduce((sum, { count }) => sum + count, 0);
  const named = words.map(({ letters, count }, index) => ({
    label: `${language}${index}`,
    letters,
    logProbability: Math.log(count / total),
  }));
  const arcs = named.map(({ label, logProbability }) => ({
    from: 0,
    to: 0,
    label,
    probability: Math.exp(SEARCH_WEIGHT * logProbability),
  }));
  return { grammar: { states: 1, start: 0, end: 0, arcs }, words: named };
}

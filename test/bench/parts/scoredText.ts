import type { RuledWord } from '../../../src/replay/rules/ruleSet.ts';
import { ruleSetNamed } from '../../../src/replay/rules/ruleSets.ts';
import { scoreWords, type WordScore } from '../../../src/replay/score/errorCounts.ts';

const RULES = ruleSetNamed('english-1');

/** Returns the words of a text as compared, with their positions. */
export function ruledWords(text: string): readonly RuledWord[] {
  return RULES.words(text);
}

/** Scores words against those of a reference by the rules `english-1`. */
export function scoreByRules(reference: readonly string[], heard: readonly string[]): WordScore {
  const ruled = (words: readonly string[]) => ruledWords(words.join(' ')).map(({ word }) => word);
  return scoreWords(ruled(reference), ruled(heard));
}

export interface ErrorTally {
  readonly errors: number;
  readonly words: number;
}

/** Returns the sum of the errors of scores. */
export function tallyErrors(scores: readonly WordScore[]): ErrorTally {
  const errors = scores.map(score => score.substitutions + score.deletions + score.insertions);
  return {
    errors: errors.reduce((sum, count) => sum + count, 0),
    words: scores.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

/** Returns the numbers of words that were lost, added and changed, of all scores together. */
export function differencesOf(scores: readonly WordScore[]) {
  const sum = (count: 'deletions' | 'insertions' | 'substitutions') =>
    scores.reduce((total, score) => total + score[count], 0);
  return { lost: sum('deletions'), added: sum('insertions'), changed: sum('substitutions') };
}

/** Returns word errors in per cent of the reference words, with one decimal. */
export function percentOf({ errors, words }: ErrorTally): number {
  return Math.round((1000 * errors) / words) / 10;
}

import type { AlignmentRule, ErrorCounts } from '../align/alignment.ts';
import { alignWords } from '../align/alignWords.ts';
import { countErrors, errorRate, tokenErrors } from './errorCounts.ts';

/** What it takes to turn a reference into a hypothesis, in words. */
export interface WordScore extends ErrorCounts {
  /** Word error rate, as {@link errorRate} defines it: it may exceed 1. */
  readonly wer: number;
}

/**
 * Scores words against those of a reference, as they are: no rules, equal strings are equal words.
 *
 * @example
 * scoreWords(wordsOf('the small dog'), wordsOf('The dog.')).wer // 0.333…
 */
export function scoreWords(
  reference: readonly string[],
  hypothesis: readonly string[],
  rule?: AlignmentRule,
): WordScore {
  const counts = countErrors(alignWords(reference, hypothesis, rule));
  return { ...counts, wer: errorRate(tokenErrors(counts)) };
}

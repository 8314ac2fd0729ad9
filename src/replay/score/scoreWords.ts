import type { AlignmentRule, ErrorCounts } from '../align/alignment.ts';
import { alignWords } from '../align/alignWords.ts';
import { countErrors, errorRate, tokenErrors } from './errorCounts.ts';

/** The word edits from a reference to a hypothesis. */
export interface WordScore extends ErrorCounts {
  /** Word error rate, as {@link errorRate} defines it. It may exceed 1. */
  readonly wer: number;
}

/**
 * Scores words against a reference without rules: equal strings are equal words.
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

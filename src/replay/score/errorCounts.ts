import { type Alignment, alignWords } from '../align/alignWords.ts';

/** Numbers of steps of an alignment, by type. */
export interface ErrorCounts {
  /** Tokens of the reference: hits + substitutions + deletions. */
  readonly tokens: number;
  readonly hits: number;
  readonly substitutions: number;
  readonly deletions: number;
  readonly insertions: number;
}

/** Number of errors and of tokens of the reference. */
export interface TokenErrors {
  readonly tokens: number;
  readonly errors: number;
}

/**
 * Counts the steps of an alignment by type.
 *
 * @example
 * countErrors(alignWords(['a', 'b'], ['a'])).deletions; // 1
 */
export function countErrors(alignment: Alignment): ErrorCounts {
  const counts = { hit: 0, substitution: 0, deletion: 0, insertion: 0 };
  for (const { type } of alignment) counts[type]++;
  return {
    tokens: counts.hit + counts.substitution + counts.deletion,
    hits: counts.hit,
    substitutions: counts.substitution,
    deletions: counts.deletion,
    insertions: counts.insertion,
  };
}

/**
 * Adds up substitutions, deletions and insertions.
 *
 * @example
 * tokenErrors({ tokens: 2, hits: 1, substitutions: 0, deletions: 1, insertions: 0 }); // { tokens: 2, errors: 1 }
 */
export function tokenErrors(counts: ErrorCounts): TokenErrors {
  const { tokens, substitutions, deletions, insertions } = counts;
  return { tokens, errors: substitutions + deletions + insertions };
}

/**
 * Returns the errors per token of the reference, which may exceed 1. Without tokens it is 0 when there are no errors,
 * else 1. (For an empty reference, jiwer 4 gives the number of insertions and jiwer 3 an error.)
 *
 * @example
 * errorRate({ tokens: 8, errors: 2 }) // 0.25
 */
export function errorRate({ tokens, errors }: TokenErrors): number {
  return tokens > 0 ? errors / tokens : Math.min(errors, 1);
}

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
export function scoreWords(reference: readonly string[], hypothesis: readonly string[]): WordScore {
  const counts = countErrors(alignWords(reference, hypothesis));
  return { ...counts, wer: errorRate(tokenErrors(counts)) };
}

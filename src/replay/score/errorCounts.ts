import type { Alignment, ErrorCounts } from '../align/alignment.ts';

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
 * tokenErrors(countErrors(alignWords(['a', 'b'], ['a']))); // { tokens: 2, errors: 1 }
 */
export function tokenErrors(counts: ErrorCounts): TokenErrors {
  const { tokens, substitutions, deletions, insertions } = counts;
  return { tokens, errors: substitutions + deletions + insertions };
}

/**
 * Returns the errors per token of the reference, which may exceed 1. Without tokens it is 0 when there are no errors,
 * else 1. (For an empty reference, jiwer 4 gives the number of insertions and jiwer 3 an error; sclite prints counts
 * and no rate.)
 *
 * @example
 * errorRate({ tokens: 8, errors: 2 }) // 0.25
 */
export function errorRate({ tokens, errors }: TokenErrors): number {
  return tokens > 0 ? errors / tokens : Math.min(errors, 1);
}

/**
 * Returns the mean errors per segment of several runs of one recording. The bootstrap must not draw the runs
 * separately, because repeated words are no independent samples.
 *
 * @param repeats segments of each run, of the same reference; a run without segments was not scored and is left out
 */
export function meanSegments(repeats: readonly (readonly TokenErrors[])[]): readonly TokenErrors[] {
  const scored = repeats.filter(segments => segments.length > 0);
  const [first = []] = scored;
  return first.map(({ tokens }, index) => ({
    tokens,
    errors: scored.reduce((sum, segments) => sum + (segments[index]?.errors ?? 0), 0) / scored.length,
  }));
}

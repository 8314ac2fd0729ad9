import type { Alignment, ErrorCounts } from '../align/alignment.ts';

/** Errors among the tokens of a reference. */
export interface TokenErrors {
  readonly tokens: number;
  readonly errors: number;
}

/** Counts the steps of an alignment. */
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

/** Substitutions, deletions and insertions among the tokens of the reference. */
export function tokenErrors(counts: ErrorCounts): TokenErrors {
  const { tokens, substitutions, deletions, insertions } = counts;
  return { tokens, errors: substitutions + deletions + insertions };
}

/**
 * Errors for each token of the reference; may exceed 1. Without tokens it is 0 when there are no errors, else 1. (Of an
 * empty reference, jiwer 4 gives the number of insertions, and jiwer 3 an error; sclite prints counts and no rate.)
 *
 * @example
 * errorRate({ tokens: 8, errors: 2 }) // 0.25
 */
export function errorRate({ tokens, errors }: TokenErrors): number {
  return tokens > 0 ? errors / tokens : Math.min(errors, 1);
}

/**
 * The segments of one recording that was streamed several times, with their mean errors: the same words heard again say
 * nothing new of other words, so that the bootstrap must not draw them apart.
 *
 * @param repeats segments of each, of the same reference; those of one that was not scored are left out
 */
export function meanSegments(repeats: readonly (readonly TokenErrors[])[]): readonly TokenErrors[] {
  const scored = repeats.filter(segments => segments.length > 0);
  const [first = []] = scored;
  return first.map(({ tokens }, index) => ({
    tokens,
    errors: scored.reduce((sum, segments) => sum + segments[index]!.errors, 0) / scored.length,
  }));
}

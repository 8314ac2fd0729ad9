import type { TokenErrors } from './errorCounts.ts';

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

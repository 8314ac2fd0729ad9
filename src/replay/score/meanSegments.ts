import type { TokenErrors } from './errorCounts.ts';

/**
 * The segments of one recording that was streamed several times, with their mean errors: the same words heard again say
 * nothing new of other words, so that the bootstrap must not draw them apart.
 *
 * @param repeats segments of each, of the same reference
 */
export function meanSegments(repeats: readonly (readonly TokenErrors[])[]): readonly TokenErrors[] {
  const [first = []] = repeats;
  return first.map(({ tokens }, index) => ({
    tokens,
    errors: repeats.reduce((sum, segments) => sum + segments[index]!.errors, 0) / repeats.length,
  }));
}

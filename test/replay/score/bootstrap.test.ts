import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Random, seeded } from '../../../src/base/seeded.ts';
import { rateInterval } from '../../../src/replay/score/bootstrap.ts';
import { errorRate } from '../../../src/replay/score/errorCounts.ts';

/** Returns segments of 20 words, each of which is wrong with the same probability. */
function segmentsOf(count: number, chance: number, seed: number | Random) {
  const random = typeof seed === 'number' ? seeded(seed) : seed;
  return Array.from({ length: count }, () => ({
    tokens: 20,
    errors: Array.from({ length: 20 }, random).filter(value => value < chance).length,
  }));
}

const rateOf = (segments: ReturnType<typeof segmentsOf>) =>
  errorRate({
    tokens: segments.reduce((sum, { tokens }) => sum + tokens, 0),
    errors: segments.reduce((sum, { errors }) => sum + errors, 0),
  });

const widthOf = (interval: { low: number; high: number } | null) => interval!.high - interval!.low;

describe('the interval of an error rate', () => {
  test('is as wide as the binomial distribution', () => {
    // For 400 segments of 20 words, one in ten wrong, 1.96 standard deviations are 0.0132.
    const interval = rateInterval(segmentsOf(400, 0.1, 3), 1)!;
    expect(widthOf(interval)).toBeGreaterThan(0.0132 * 0.9);
    expect(widthOf(interval)).toBeLessThan(0.0132 * 1.1);
  });

  test('is the same for the same seed, and nearly so for another', () => {
    const segments = segmentsOf(100, 0.15, 5);
    expect(rateInterval(segments, 1)).toEqual(rateInterval(segments, 1));
    expect(rateInterval(segments, 2)).not.toEqual(rateInterval(segments, 1));
    expect(rateInterval(segments, 2)!.low).toBeCloseTo(rateInterval(segments, 1)!.low, 2);
  });

  test('contains the rate and nothing below 0', () => {
    const segment = fc.record({ tokens: fc.integer({ min: 1, max: 20 }), errors: fc.nat({ max: 30 }) });
    fc.assert(
      fc.property(fc.array(segment, { minLength: 5, maxLength: 8 }), segments => {
        const { low, high } = rateInterval(segments, 1)!;
        expect(low).toBeLessThanOrEqual(rateOf(segments));
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeGreaterThanOrEqual(rateOf(segments));
      }),
      { numRuns: 20 },
    );
  });

  test('is null with fewer than five segments, or without a token', () => {
    for (const count of [0, 1, 2, 3, 4]) expect(rateInterval(segmentsOf(count, 0.2, 1), 1)).toBeNull();
    expect(rateInterval(segmentsOf(5, 0.2, 1), 1)).not.toBeNull();
    const empty = Array.from({ length: 9 }, (_, errors) => ({ tokens: 0, errors }));
    expect(rateInterval(empty, 1)).toBeNull();
  });
});

describe.each([5, 6, 8, 15, 30])('of %d segments', count => {
  const RUNS = 200;
  const random = seeded(count);
  const runs = Array.from({ length: RUNS }, () => segmentsOf(count, 0.15, random));

  test('the true rate is in its interval about 19 times in 20', { tags: 'slow' }, () => {
    const intervals = runs.map(run => rateInterval(run, 1)!);
    const covered = intervals.filter(({ low, high }) => low <= 0.15 && high >= 0.15);
    expect(covered.length).toBeGreaterThanOrEqual(0.91 * RUNS);
  });
});

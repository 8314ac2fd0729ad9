import { quantile } from '../../base/quantile.ts';

export interface Quantiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly count: number;
}

/**
 * Returns the quantiles of samples in any order, by the nearest rank (the least sample that at least that share of the
 * samples does not exceed); null without samples.
 *
 * @example
 * quantilesOf([0.4, 0.1, 0.2])?.p50 // 0.2
 */
export function quantilesOf(samples: readonly number[]): Quantiles | null {
  return quantilesOfCounts(samples.map(sample => [sample, 1]));
}

function quantilesOfCounts(counts: readonly (readonly [value: number, count: number])[]): Quantiles | null {
  if (counts.length === 0) return null;
  const sorted = counts.toSorted(([one], [other]) => one - other);
  const at = (share: number) => quantile(sorted, share) ?? Number.NaN;
  const count = counts.reduce((sum, [, samples]) => sum + samples, 0);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1), count };
}

/** Milliseconds up to which samples are counted to the millisecond; longer ones to one part in a thousand. */
const EXACT_MS = 10_000;

/**
 * Quantiles of any number of samples in bounded memory: those of the samples rounded to milliseconds; above ten seconds,
 * to one part in a thousand.
 */
export class QuantileCounter {
  readonly #counts = new Map<number, number>();

  /** Adds a sample in seconds. */
  add(seconds: number): void {
    const bucketMs = roundedMs(seconds * 1000);
    this.#counts.set(bucketMs, (this.#counts.get(bucketMs) ?? 0) + 1);
  }

  /** Returns the quantiles so far, by the rule of {@link quantilesOf}; null without samples. */
  quantiles(): Quantiles | null {
    return quantilesOfCounts([...this.#counts].map(([bucketMs, samples]) => [bucketMs / 1000, samples]));
  }
}

function roundedMs(ms: number): number {
  if (Math.abs(ms) < EXACT_MS) return Math.round(ms);
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(ms))) - 3);
  return Math.round(ms / unit) * unit;
}

/** Kinds of delays between speech and its text, in the order of a report. */
export const DELAY_KINDS = ['firstPartial', 'word', 'final'] as const;

export type DelayKind = (typeof DELAY_KINDS)[number];

/** Returns a value for each kind of delay. */
export function byDelayKind<Value>(delayOf: (kind: DelayKind) => Value): Record<DelayKind, Value> {
  return { firstPartial: delayOf('firstPartial'), word: delayOf('word'), final: delayOf('final') };
}

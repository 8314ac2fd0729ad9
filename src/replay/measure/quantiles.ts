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
  if (samples.length === 0) return null;
  const sorted = Float64Array.from(samples).sort();
  const at = (part: number) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)]!;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1), count: sorted.length };
}

/** Milliseconds up to which samples are counted to the millisecond; longer ones to one part in a thousand. */
const EXACT_MS = 10_000;

/**
 * Quantiles of any number of samples in bounded memory: those of the samples rounded to milliseconds; above ten seconds,
 * to one part in a thousand.
 */
export class QuantileCounter {
  readonly #counts = new Map<number, number>();
  #count = 0;

  /** Adds a sample in seconds. */
  add(seconds: number): void {
    const bucketMs = roundedMs(seconds * 1000);
    this.#counts.set(bucketMs, (this.#counts.get(bucketMs) ?? 0) + 1);
    this.#count++;
  }

  /** Returns the quantiles so far, by the rule of {@link quantilesOf}; null without samples. */
  quantiles(): Quantiles | null {
    if (this.#count === 0) return null;
    const buckets = [...this.#counts].sort(([left], [right]) => left - right);
    const at = (part: number) => {
      let passed = 0;
      for (const [bucketMs, samples] of buckets) {
        passed += samples;
        if (passed >= Math.ceil(part * this.#count)) return bucketMs / 1000;
      }
      return Number.NaN;
    };
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1), count: this.#count };
  }
}

function roundedMs(ms: number): number {
  if (Math.abs(ms) < EXACT_MS) return Math.round(ms);
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(ms))) - 3);
  return Math.round(ms / unit) * unit;
}

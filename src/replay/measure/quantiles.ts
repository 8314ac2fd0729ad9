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

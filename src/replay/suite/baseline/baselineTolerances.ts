/** An amount, of which the larger part counts. */
export interface Amount {
  /** In the unit of the measure. */
  readonly absolute: number;
  /** Part of the earlier value. */
  readonly relative: number;
}

/** The amount by which a measure may be worse than in a baseline: the largest of all its parts. */
export interface Tolerance extends Amount {
  /** Number of words, as a part of all words; such a measure is a mean over words, not over cases. */
  readonly words?: number;
  /** Limits of a measure that depends on the machine and the load of a service, for which a baseline has the spread of its runs. */
  readonly live?: { readonly least: Amount; readonly most: Amount };
  /** True for a measure whose total is a sum; the absolute tolerance then counts per stream. */
  readonly isCount?: boolean;
}

const FIXED = (absolute: number): Tolerance => ({ absolute, relative: 0 });
const DELAY: Tolerance = {
  ...{ absolute: 0.25, relative: 0.2 },
  live: { least: { absolute: 0.02, relative: 0.02 }, most: { absolute: 0.5, relative: 0.5 } },
};
/** The timing of partials depends on the load of the machine. */
const STABILITY: Tolerance = {
  ...{ absolute: 0.05, relative: 0.1 },
  live: { least: { absolute: 0.01, relative: 0 }, most: { absolute: 0.4, relative: 1 } },
};
/** Number of additional wrong words that is not significant. */
const FEW_WORDS = 3;

/**
 * Compared measures, other than the word error rate, whose noise the bootstrap estimates. Delays depend on the load of
 * a machine; p99 and the maximum vary too much and are not compared.
 */
export const BASELINE_TOLERANCES: Readonly<Record<string, Tolerance>> = {
  cer: { ...FIXED(0.02), words: FEW_WORDS },
  'keywords.recall': FIXED(0.05),
  'delay.firstPartial.p50': DELAY,
  'delay.word.p50': DELAY,
  'delay.word.p95': DELAY,
  'delay.final.p50': DELAY,
  'delay.final.p95': DELAY,
  upwr: STABILITY,
  upsr: STABILITY,
  coverage: FIXED(0.01),
  violations: { absolute: 1, relative: 0.1, isCount: true },
  reconnects: { ...FIXED(0), isCount: true },
};

/** Measures whose tolerance can be set. */
export const TOLERANCE_PATHS = ['wer', 'case.wer', ...Object.keys(BASELINE_TOLERANCES)] as const;

/** Quantiles of Student's t, one-sided, of 1 in 2000, by degrees of freedom from 1. */
const STUDENT = [
  636.62, 31.6, 12.92, 8.61, 6.87, 5.96, 5.41, 5.04, 4.78, 4.59, 4.44, 4.32, 4.22, 4.14, 4.07, 4.02, 3.97,
  3.92, 3.88,
];

/**
 * Returns by how much the means of two sets of runs of an unchanged service differ at most, except once in 2000 comparisons: by
 * Student's t with pooled variance (Student 1908, "The probable error of a mean").
 *
 * @param sides number of runs and their standard deviation
 */
export function runNoise(sides: readonly { readonly runs: number; readonly deviation: number }[]): number {
  const freedom = sides.reduce((sum, { runs }) => sum + runs - 1, 0);
  if (freedom === 0) return Number.POSITIVE_INFINITY;
  const squares = sides.reduce((sum, { runs, deviation }) => sum + (runs - 1) * deviation ** 2, 0);
  const shares = sides.reduce((sum, { runs }) => sum + 1 / runs, 0);
  return (STUDENT[freedom - 1] ?? 3.29 + 11.2 / freedom) * Math.sqrt((squares / freedom) * shares);
}

/** Part of the words of one case, regardless of the others. */
const CASE_ERRORS = 0.3;

/**
 * Returns how many more words of a case may be wrong than in a baseline: a part of them, and at least three.
 *
 * @param own part that replaces both
 */
export function errorTolerance(words: number, own?: number): number {
  return own === undefined ? Math.max(FEW_WORDS, CASE_ERRORS * words) : own * words;
}

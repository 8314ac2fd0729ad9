/** The amount by which a measure may be worse than in a baseline: the largest of all its parts. */
export interface Tolerance {
  /** Amount in the unit of the measure. */
  readonly absolute: number;
  /** Part of the earlier value. */
  readonly relative: number;
  /** Number of words, as a part of all words; such a measure is a mean over words, not over cases. */
  readonly words?: number;
  /** True for a measure whose total is a sum; the absolute tolerance then counts per stream. */
  readonly isCount?: boolean;
}

const FIXED = (absolute: number): Tolerance => ({ absolute, relative: 0 });
const DELAY: Tolerance = { absolute: 0.25, relative: 0.2 };
/** The timing of partials depends on the load of the machine. */
const STABILITY: Tolerance = { absolute: 0.05, relative: 0.1 };
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

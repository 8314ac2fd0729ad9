/** How much worse than in a baseline a measure may be: the largest of all. */
export interface Tolerance {
  /** In the unit of the measure. */
  readonly absolute: number;
  /** A part of what it was. */
  readonly relative: number;
  /** As much as so many words are of all that were said; such a measure is a mean over words, not over cases. */
  readonly words?: number;
  /** The measure of all files is a sum: the absolute tolerance is that of one stream. */
  readonly isCount?: boolean;
}

const FIXED = (absolute: number): Tolerance => ({ absolute, relative: 0 });
const DELAY: Tolerance = { absolute: 0.25, relative: 0.2 };
/** Partials come when the machine has time for them. */
const STABILITY: Tolerance = { absolute: 0.05, relative: 0.1 };
/** That so many are wrong now says nothing. */
const FEW_WORDS = 3;

/**
 * The measures that are compared, but the word error rate, of which the bootstrap says what is noise. Delays hang on the
 * load of a machine; p99 and the greatest are too much left to chance, and not compared.
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

/** What a tolerance can be set of. */
export const TOLERANCE_PATHS = ['wer', 'case.wer', ...Object.keys(BASELINE_TOLERANCES)] as const;

/** Of all words, where there are too few for an interval; of those of one case, whatever the others say. */
const ERRORS = { wer: 0.1, 'case.wer': 0.3 } as const;

/**
 * How many more words may be wrong than in a baseline where no interval says what is noise: a part of them, and three
 * of however few.
 *
 * @param own instead of both, as a part
 */
export function errorTolerance(path: keyof typeof ERRORS, words: number, own?: number): number {
  return own === undefined ? Math.max(FEW_WORDS, ERRORS[path] * words) : own * words;
}

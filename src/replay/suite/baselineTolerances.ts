/** How much worse than in a baseline a measure may be: the larger of both. */
export interface Tolerance {
  /** In the unit of the measure. */
  readonly absolute: number;
  /** A part of what it was. */
  readonly relative: number;
}

const FIXED = (absolute: number): Tolerance => ({ absolute, relative: 0 });
const DELAY: Tolerance = { absolute: 0.25, relative: 0.2 };
/** Partials come when the machine has time for them. */
const STABILITY: Tolerance = { absolute: 0.05, relative: 0.1 };

/**
 * The measures that are compared, but the word error rate, of which the bootstrap says what is noise. Delays hang on the
 * load of a machine; p99 and the greatest are too much left to chance, and not compared.
 */
export const BASELINE_TOLERANCES: Readonly<Record<string, Tolerance>> = {
  cer: FIXED(0.02),
  'keywords.recall': FIXED(0.05),
  'delay.firstPartial.p50': DELAY,
  'delay.word.p50': DELAY,
  'delay.word.p95': DELAY,
  'delay.final.p50': DELAY,
  'delay.final.p95': DELAY,
  upwr: STABILITY,
  upsr: STABILITY,
  coverage: FIXED(0.01),
  violations: { absolute: 1, relative: 0.1 },
  reconnects: FIXED(0),
};

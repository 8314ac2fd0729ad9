/** One step from a reference to a hypothesis, with the indexes of the words in each. */
export type AlignmentStep =
  | { readonly type: 'hit'; readonly reference: number; readonly hypothesis: number }
  | { readonly type: 'substitution'; readonly reference: number; readonly hypothesis: number }
  | { readonly type: 'deletion'; readonly reference: number }
  | { readonly type: 'insertion'; readonly hypothesis: number };

/** The steps from a reference to a hypothesis, in order. */
export type Alignment = readonly AlignmentStep[];

/** Numbers of steps of an alignment, by type. */
export interface ErrorCounts {
  /** Tokens of the reference: hits + substitutions + deletions. */
  readonly tokens: number;
  readonly hits: number;
  readonly substitutions: number;
  readonly deletions: number;
  readonly insertions: number;
}

/**
 * The rule of an alignment. `levenshtein` has the least number of edits, as jiwer counts. `sclite` has the least cost
 * where a substitution costs 4 and a deletion or insertion 3, as NIST's sclite aligns.
 */
export type AlignmentRule = 'levenshtein' | 'sclite';

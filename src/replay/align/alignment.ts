/** One step of turning a reference into a hypothesis; indexes of words in each. */
export type AlignmentStep =
  | { readonly type: 'hit'; readonly reference: number; readonly hypothesis: number }
  | { readonly type: 'substitution'; readonly reference: number; readonly hypothesis: number }
  | { readonly type: 'deletion'; readonly reference: number }
  | { readonly type: 'insertion'; readonly hypothesis: number };

/** Words of a reference and of a hypothesis side by side, in order. */
export type Alignment = readonly AlignmentStep[];

/** Counts of an alignment. */
export interface ErrorCounts {
  /** Tokens of the reference: hits + substitutions + deletions. */
  readonly tokens: number;
  readonly hits: number;
  readonly substitutions: number;
  readonly deletions: number;
  readonly insertions: number;
}

/**
 * `levenshtein`: the least number of edits, as jiwer counts. `sclite`: the least cost where a substitution costs 4, a
 * deletion or insertion 3, as NIST's sclite aligns.
 */
export type AlignmentRule = 'levenshtein' | 'sclite';

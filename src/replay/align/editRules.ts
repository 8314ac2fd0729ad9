import type { AlignmentRule } from './alignment.ts';

/** Moves of the path: one step in both lists, or in one of them. */
const PAIR = 0;
export const DELETION = 1;
export const INSERTION = 2;

/** Two rows of the matrix of costs, and the moves that reach the cells of the second one. */
interface EditRows {
  readonly above: Int32Array;
  readonly row: Int32Array;
  readonly moves: Uint8Array;
}

/** A range of columns, the last one included. */
interface Columns {
  readonly from: number;
  readonly to: number;
}

/** Costs of edits, and the choice among several cheapest paths. */
export interface EditRule {
  /** Cost of a deletion or an insertion. */
  readonly gap: number;
  /** True to pair the words that both lists begin or end with before anything else. */
  readonly pairsEnds: boolean;
  /**
   * Computes columns of a row, from 1 on, from the row above and the column before. Words are numbers; column n stands
   * for word n - 1 of the hypothesis.
   */
  readonly fillRow: (rows: EditRows, columns: Columns, word: number, hypothesis: Int32Array) => void;
}

/**
 * The rules by name, described from the end of the path. `levenshtein` chooses as RapidFuzz does for jiwer
 * (`recover_alignment` of rapidfuzz-cpp): a deletion if it is among the cheapest; else an insertion if it is cheaper
 * than a substitution; else a pair. `sclite` chooses as `calculate_internal_cells` in SCTK's `net_dp.c`: a pair if it
 * is among the cheapest; else a deletion if it is cheaper than an insertion; else an insertion.
 */
export const editRules: Readonly<Record<AlignmentRule, EditRule>> = {
  levenshtein: { gap: 1, pairsEnds: true, fillRow: levenshteinRow },
  sclite: { gap: 3, pairsEnds: false, fillRow: scliteRow },
};

function levenshteinRow(
  { above, row, moves }: EditRows,
  { from, to }: Columns,
  word: number,
  hypothesis: Int32Array,
): void {
  let diagonal = above[from - 1]!;
  let left = row[from - 1]!;
  for (let column = from; column <= to; column++) {
    const up = above[column]!;
    const pair = hypothesis[column - 1] === word ? diagonal : diagonal + 1;
    const cost = Math.min(pair, up + 1, left + 1);
    moves[column] = up + 1 === cost ? DELETION : left < diagonal ? INSERTION : PAIR;
    row[column] = cost;
    diagonal = up;
    left = cost;
  }
}

function scliteRow(
  { above, row, moves }: EditRows,
  { from, to }: Columns,
  word: number,
  hypothesis: Int32Array,
): void {
  let diagonal = above[from - 1]!;
  let left = row[from - 1]!;
  for (let column = from; column <= to; column++) {
    const up = above[column]!;
    const pair = hypothesis[column - 1] === word ? diagonal : diagonal + 4;
    const gap = Math.min(up, left) + 3;
    moves[column] = pair <= gap ? PAIR : up < left ? DELETION : INSERTION;
    left = Math.min(pair, gap);
    row[column] = left;
    diagonal = up;
  }
}

/** Moves of the path: one step in both lists, or in one of them. */
const PAIR = 0;
export const DELETION = 1;
export const INSERTION = 2;

/** The matrix of costs, with the band of diagonals (column minus row) that is computed. */
interface Matrix {
  readonly reference: Int32Array;
  readonly hypothesis: Int32Array;
  readonly firstDiagonal: number;
  readonly lastDiagonal: number;
}

/** Diagonals on each side of the corners in the first band. */
const FIRST_MARGIN = 64;
/** A cost above any real one, with room for one more step below the limit of 32 bits. */
const INFINITE_COST = 2 ** 30;

/**
 * Returns the moves from the first to the last cell of the matrix of costs, on the cheapest path.
 *
 * Only a band around the diagonal is computed, and a wider one if a path outside could be as cheap (Ukkonen 1985,
 * "Algorithms for approximate string matching"). Some rows of costs are kept; on the way back, the moves of the rows
 * between two of them are computed again. Lists of n and m words therefore need about 4 m √n bytes: 3.5 MB for 9,000
 * words each, 18 MB for 27,000.
 */
export function cheapestMoves(reference: Int32Array, hypothesis: Int32Array): Uint8Array {
  const difference = hypothesis.length - reference.length;
  let margin = FIRST_MARGIN;
  while (true) {
    const firstDiagonal = Math.min(0, difference) - margin;
    const lastDiagonal = Math.max(0, difference) + margin;
    const matrix = { reference, hypothesis, firstDiagonal, lastDiagonal };
    const { kept, cost } = keptRows(matrix);
    // A path that leaves the band and returns needs that many more gaps.
    const enough = Math.floor((cost - Math.abs(difference)) / 2);
    if (margin >= enough) return movesBack(matrix, kept);
    margin = Math.min(enough, 4 * margin);
  }
}

/** Number of rows in a block. */
const blockHeight = ({ reference }: Matrix) => Math.max(1, Math.ceil(2 * Math.sqrt(reference.length)));

/** Returns the row of costs above each block, and the total cost. */
function keptRows(matrix: Matrix) {
  const { reference, hypothesis } = matrix;
  const moves = new Uint8Array(hypothesis.length + 1);
  const height = blockHeight(matrix);
  const kept: Int32Array[] = [];
  let row = Int32Array.from(moves, (_, column) => column);
  let next = new Int32Array(row.length);
  for (let line = 0; line < reference.length; line++) {
    if (line % height === 0) kept.push(row.slice());
    fillRow(matrix, line, row, next, moves);
    [row, next] = [next, row];
  }
  return { kept, cost: row.at(-1)! };
}

function movesBack(matrix: Matrix, kept: readonly Int32Array[]): Uint8Array {
  const { reference, hypothesis } = matrix;
  const height = blockHeight(matrix);
  const path = new Uint8Array(reference.length + hypothesis.length);
  const moves = new Uint8Array(height * (hypothesis.length + 1));
  let at = path.length;
  let line = reference.length;
  let column = hypothesis.length;
  for (let block = kept.length - 1; block >= 0; block--) {
    const start = block * height;
    const width = column + 1;
    fillMoves(matrix, { start, end: line, width }, kept[block]!, moves);
    while (line > start) {
      const move = moves[(line - start - 1) * width + column]!;
      path[--at] = move;
      if (move !== INSERTION) line--;
      if (move !== DELETION) column--;
    }
  }
  return path.fill(INSERTION, at - column, at).subarray(at - column);
}

/** Computes the moves of a block of rows from the row of costs above it. */
function fillMoves(
  matrix: Matrix,
  { start, end, width }: { readonly start: number; readonly end: number; readonly width: number },
  above: Int32Array,
  moves: Uint8Array,
): void {
  let row = above.slice(0, width);
  let next = new Int32Array(width);
  for (let line = start; line < end; line++) {
    const offset = (line - start) * width;
    fillRow(matrix, line, row, next, moves.subarray(offset, offset + width));
    [row, next] = [next, row];
  }
}

/**
 * Computes the row of one word of the reference from the row above it, within the band and the arrays. Among the cheapest
 * moves it chooses as RapidFuzz does for jiwer (`recover_alignment` of rapidfuzz-cpp): a deletion if it is one of them; else
 * an insertion if it is cheaper than a substitution; else a pair.
 */
function fillRow(matrix: Matrix, line: number, above: Int32Array, row: Int32Array, moves: Uint8Array): void {
  const { reference, hypothesis, firstDiagonal, lastDiagonal } = matrix;
  const from = Math.max(0, line + 1 + firstDiagonal);
  const to = Math.min(row.length - 1, line + 1 + lastDiagonal);
  // The band shifts by one column per row; a cell outside it is never the cheapest.
  if (to === line + 1 + lastDiagonal) above[to] = INFINITE_COST;
  if (from > 0) row[from - 1] = INFINITE_COST;
  else {
    row[0] = line + 1;
    moves[0] = DELETION;
  }
  const word = reference[line];
  const first = Math.max(1, from);
  let diagonal = above[first - 1]!;
  let left = row[first - 1]!;
  for (let column = first; column <= to; column++) {
    const up = above[column]!;
    const pair = hypothesis[column - 1] === word ? diagonal : diagonal + 1;
    const cost = Math.min(pair, up + 1, left + 1);
    moves[column] = up + 1 === cost ? DELETION : left < diagonal ? INSERTION : PAIR;
    row[column] = cost;
    diagonal = up;
    left = cost;
  }
}

import { DELETION, type EditRule, INSERTION } from './editRules.ts';

/** The matrix of costs, and which of its diagonals (column less row) are looked at. */
interface Matrix {
  readonly reference: Int32Array;
  readonly hypothesis: Int32Array;
  readonly rule: EditRule;
  readonly firstDiagonal: number;
  readonly lastDiagonal: number;
}

/** Diagonals on both sides of those of the corners that are looked at first. */
const FIRST_MARGIN = 64;
/** More than any cost, and far enough from the greatest number for one step more. */
const TOO_MUCH = 2 ** 30;

/**
 * Moves from the first to the last cell of the matrix of costs, by the cheapest way that the rule takes.
 *
 * Only a band around the diagonal is looked at, and a wider one where a way outside could be as cheap (Ukkonen 1985,
 * "Algorithms for approximate string matching"). Some rows of costs are kept; on the way back, the moves of the rows
 * between two of them are computed again. So of lists of n and m words no more than about 4 m √n bytes are held: 3.5 MB
 * of 9,000 and 9,000 words, 18 MB of 27,000 and 27,000.
 */
export function cheapestMoves(reference: Int32Array, hypothesis: Int32Array, rule: EditRule): Uint8Array {
  const difference = hypothesis.length - reference.length;
  let margin = FIRST_MARGIN;
  while (true) {
    const firstDiagonal = Math.min(0, difference) - margin;
    const lastDiagonal = Math.max(0, difference) + margin;
    const matrix = { reference, hypothesis, rule, firstDiagonal, lastDiagonal };
    const { kept, cost } = keptRows(matrix);
    // To leave the band and come back, a way needs so many gaps more.
    const enough = Math.floor((cost / rule.gap - Math.abs(difference)) / 2);
    if (margin >= enough) return movesBack(matrix, kept);
    margin = Math.min(enough, 4 * margin);
  }
}

/** Rows that are computed together. */
const blockHeight = ({ reference }: Matrix) => Math.max(1, Math.ceil(2 * Math.sqrt(reference.length)));

/** The costs above every block of rows, and the cost of all. */
function keptRows(matrix: Matrix) {
  const { reference, hypothesis, rule } = matrix;
  const moves = new Uint8Array(hypothesis.length + 1);
  const height = blockHeight(matrix);
  const kept: Int32Array[] = [];
  let row = Int32Array.from(moves, (_, column) => column * rule.gap);
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

/** The moves of a block of rows, one after the other, from the row of costs above it. */
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

/** The row below one of costs: that of a word of the reference, in the band and as far as the arrays go. */
function fillRow(matrix: Matrix, line: number, above: Int32Array, row: Int32Array, moves: Uint8Array): void {
  const { reference, hypothesis, rule, firstDiagonal, lastDiagonal } = matrix;
  const from = Math.max(0, line + 1 + firstDiagonal);
  const to = Math.min(row.length - 1, line + 1 + lastDiagonal);
  // The band goes on by a column with each row: what is not in it is never the cheapest.
  if (to === line + 1 + lastDiagonal) above[to] = TOO_MUCH;
  if (from > 0) row[from - 1] = TOO_MUCH;
  else {
    row[0] = (line + 1) * rule.gap;
    moves[0] = DELETION;
  }
  rule.fillRow({ above, row, moves }, { from: Math.max(1, from), to }, reference[line]!, hypothesis);
}

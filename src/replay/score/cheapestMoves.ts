import { DELETION, type EditRule, INSERTION } from './editRules.ts';

/**
 * Moves from the first to the last cell of the matrix of costs, by the cheapest way that the rule takes.
 *
 * Some rows of costs are kept; on the way back, the moves of the rows between two of them are computed again. So of
 * lists of n and m words no more than about 4 m √n bytes are held (3.5 MB of 9,000 and 9,000 words, 18 MB of 27,000 and
 * 27,000), and every cell is computed twice at most.
 */
export function cheapestMoves(reference: Int32Array, hypothesis: Int32Array, rule: EditRule): Uint8Array {
  const height = Math.max(1, Math.ceil(2 * Math.sqrt(reference.length)));
  const kept = keptRows(reference, hypothesis, rule, height);
  const path = new Uint8Array(reference.length + hypothesis.length);
  const moves = new Uint8Array(height * (hypothesis.length + 1));
  let at = path.length;
  let line = reference.length;
  let column = hypothesis.length;
  for (let block = kept.length - 1; block >= 0; block--) {
    const start = block * height;
    const width = column + 1;
    fillMoves(kept[block]!, reference.subarray(start, line), hypothesis.subarray(0, column), rule, moves);
    while (line > start) {
      const move = moves[(line - start - 1) * width + column]!;
      path[--at] = move;
      if (move !== INSERTION) line--;
      if (move !== DELETION) column--;
    }
  }
  return path.fill(INSERTION, at - column, at).subarray(at - column);
}

/** The costs above every block of so many rows. */
function keptRows(reference: Int32Array, hypothesis: Int32Array, rule: EditRule, height: number) {
  const moves = new Uint8Array(hypothesis.length + 1);
  let row = Int32Array.from({ length: hypothesis.length + 1 }, (_, column) => column * rule.gap);
  let next = new Int32Array(row.length);
  const kept: Int32Array[] = [];
  for (let line = 0; line < reference.length; line++) {
    if (line % height === 0) kept.push(row.slice());
    rule.fillRow(row, next, moves, reference[line]!, hypothesis);
    [row, next] = [next, row];
  }
  return kept;
}

/** The moves of the rows below one of costs, row after row. */
function fillMoves(
  first: Int32Array,
  words: Int32Array,
  hypothesis: Int32Array,
  rule: EditRule,
  moves: Uint8Array,
): void {
  const width = hypothesis.length + 1;
  let row = first.slice(0, width);
  let next = new Int32Array(width);
  for (const [line, word] of words.entries()) {
    rule.fillRow(row, next, moves.subarray(line * width, (line + 1) * width), word, hypothesis);
    [row, next] = [next, row];
  }
}

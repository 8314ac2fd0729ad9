import type { Alignment } from '../../../src/replay/align/alignWords.ts';

/** Returns the least number of edits from the full matrix, as in textbooks. */
export function plainCost(left: readonly string[], right: readonly string[]): number {
  const matrix = Array.from({ length: left.length + 1 }, () => new Int32Array(right.length + 1));
  for (let line = 0; line <= left.length; line++) matrix[line]![0] = line;
  for (let column = 0; column <= right.length; column++) matrix[0]![column] = column;
  for (let line = 1; line <= left.length; line++) {
    for (let column = 1; column <= right.length; column++) {
      const pair = left[line - 1] === right[column - 1] ? 0 : 1;
      matrix[line]![column] = Math.min(
        matrix[line - 1]![column - 1]! + pair,
        matrix[line - 1]![column]! + 1,
        matrix[line]![column - 1]! + 1,
      );
    }
  }
  return matrix[left.length]![right.length]!;
}

/** Formats an alignment: `h` hit, `s` substitution, `d` deletion, `i` insertion. */
export const shapeOf = (alignment: Alignment) => alignment.map(({ type }) => type[0]).join('');

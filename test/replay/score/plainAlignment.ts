import type { Alignment, AlignmentRule, ErrorCounts } from '../../../src/replay/score/alignment.ts';

export const costs = {
  levenshtein: { substitution: 1, gap: 1 },
  sclite: { substitution: 4, gap: 3 },
} as const;

/** The least cost by the whole matrix, as textbooks have it. */
export function plainCost(left: readonly string[], right: readonly string[], rule: AlignmentRule): number {
  const { substitution, gap } = costs[rule];
  const matrix = Array.from({ length: left.length + 1 }, () => new Int32Array(right.length + 1));
  for (let line = 0; line <= left.length; line++) {
    for (let column = 0; column <= right.length; column++) {
      const ways = line === 0 && column === 0 ? [0] : [];
      if (line > 0) ways.push(matrix[line - 1]![column]! + gap);
      if (column > 0) ways.push(matrix[line]![column - 1]! + gap);
      if (line > 0 && column > 0) {
        const pair = left[line - 1] === right[column - 1] ? 0 : substitution;
        ways.push(matrix[line - 1]![column - 1]! + pair);
      }
      matrix[line]![column] = Math.min(...ways);
    }
  }
  return matrix[left.length]![right.length]!;
}

/** What counted errors cost. */
export function costOf({ substitutions, deletions, insertions }: ErrorCounts, rule: AlignmentRule): number {
  return substitutions * costs[rule].substitution + (deletions + insertions) * costs[rule].gap;
}

/** An alignment as text: `h` hit, `s` substitution, `d` deletion, `i` insertion. */
export const shapeOf = (alignment: Alignment) => alignment.map(({ type }) => type[0]).join('');

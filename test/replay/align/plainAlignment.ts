import type { Alignment, AlignmentRule, ErrorCounts } from '../../../src/replay/align/alignment.ts';

export const costs = {
  levenshtein: { substitution: 1, gap: 1 },
  sclite: { substitution: 4, gap: 3 },
} as const;

/** Returns the least cost from the full matrix, as in textbooks. */
export function plainCost(left: readonly string[], right: readonly string[], rule: AlignmentRule): number {
  const { substitution, gap } = costs[rule];
  const matrix = Array.from({ length: left.length + 1 }, () => new Int32Array(right.length + 1));
  for (let line = 0; line <= left.length; line++) matrix[line]![0] = line * gap;
  for (let column = 0; column <= right.length; column++) matrix[0]![column] = column * gap;
  for (let line = 1; line <= left.length; line++) {
    for (let column = 1; column <= right.length; column++) {
      const pair = left[line - 1] === right[column - 1] ? 0 : substitution;
      matrix[line]![column] = Math.min(
        matrix[line - 1]![column - 1]! + pair,
        matrix[line - 1]![column]! + gap,
        matrix[line]![column - 1]! + gap,
      );
    }
  }
  return matrix[left.length]![right.length]!;
}

/** Returns the cost of counted errors. */
export function costOf({ substitutions, deletions, insertions }: ErrorCounts, rule: AlignmentRule): number {
  return substitutions * costs[rule].substitution + (deletions + insertions) * costs[rule].gap;
}

/** Formats an alignment: `h` hit, `s` substitution, `d` deletion, `i` insertion. */
export const shapeOf = (alignment: Alignment) => alignment.map(({ type }) => type[0]).join('');

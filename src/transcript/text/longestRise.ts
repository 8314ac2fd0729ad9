import { countLeading } from '../../base/countLeading.ts';

/**
 * Returns the indexes of a longest non-decreasing subsequence, in time O(n log n).
 *
 * @example
 * longestRise([1, 9, 2, 2, 3]) // [0, 2, 3, 4]
 */
export function longestRise(values: readonly number[]): readonly number[] {
  /** For each length, the index of the lowest value that ends a subsequence of this length. */
  const ends: number[] = [];
  const before = new Int32Array(values.length);
  for (const [index, value] of values.entries()) {
    const length = countLeading(ends, end => values[end]! <= value);
    before[index] = ends[length - 1] ?? -1;
    ends[length] = index;
  }
  const rise: number[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) rise.push(at);
  return rise.reverse();
}

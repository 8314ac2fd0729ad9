/**
 * Indexes of values that never fall, as many as possible (patience sorting, O(n log n)).
 *
 * @example
 * longestRise([1, 9, 2, 2, 3]) // [0, 2, 3, 4]
 */
export function longestRise(values: readonly number[]): readonly number[] {
  /** Of the rises of each length the one whose last value is lowest: that value's index. */
  const ends: number[] = [];
  const before = new Int32Array(values.length);
  for (const [index, value] of values.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[ends[middle]!]! <= value) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  }
  const rise: number[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) rise.push(at);
  return rise.reverse();
}

/** The smallest and the largest value of a number. */
export type Bounds = readonly [least: number, most: number];

/** Returns the number, or the bound that it exceeds. */
export function withinBounds(value: number, [least, most]: Bounds): number {
  return Math.min(most, Math.max(least, value));
}

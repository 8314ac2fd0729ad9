/**
 * Returns a quantile of counted values in ascending order, by the nearest rank: the least value with at least that share of all
 * values at or below it. Undefined without values.
 *
 * @param share from 0 to 1
 * @example
 * quantile([[0.1, 2], [0.4, 1]], 0.5); // 0.1
 */
export function quantile(
  counts: readonly (readonly [value: number, count: number])[],
  share: number,
): number | undefined {
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  let passed = 0;
  return counts.find(([, count]) => {
    passed += count;
    return count > 0 && passed >= share * all;
  })?.[0];
}

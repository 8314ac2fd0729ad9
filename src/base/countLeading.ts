/** Returns how many items at the beginning of a list satisfy a condition that no item after them does, by binary search. */
export function countLeading<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(items[middle]!)) from = middle + 1;
    else to = middle;
  }
  return from;
}

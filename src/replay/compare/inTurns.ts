/**
 * Calls `turn` for each item with each rival, one after another, and returns the results of each rival in the order of
 * the items. Each item begins with another rival, so that anything that changes with time, such as the load of a
 * machine, affects all of them alike.
 *
 * @throws the signal's reason
 */
export async function inTurns<Rival, Item, Result>(
  rivals: readonly Rival[],
  items: readonly Item[],
  turn: (rival: Rival, item: Item) => Promise<Result>,
  signal?: AbortSignal,
): Promise<ReadonlyMap<Rival, readonly Result[]>> {
  const results = new Map<Rival, Result[]>(rivals.map(rival => [rival, []]));
  for (const [index, item] of items.entries()) {
    const first = index % rivals.length;
    for (const rival of [...rivals.slice(first), ...rivals.slice(0, first)]) {
      signal?.throwIfAborted();
      results.get(rival)!.push(await turn(rival, item));
    }
  }
  return results;
}

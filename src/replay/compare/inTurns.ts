/**
 * Calls back for each item with each of some rivals, one after the other, and gives the results of each rival in the order
 * of the items. With every item another rival goes first: whatever changes with time, such as the load of a machine,
 * meets all of them alike.
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

/**
 * Works on items in their order, so many at a time. Resolves with the results, undefined for what was not begun or not
 * finished when the signal was aborted.
 *
 * @throws what the work throws, but when the signal is aborted
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
  signal?: AbortSignal,
): Promise<readonly (Result | undefined)[]> {
  const results = items.map((): Result | undefined => undefined);
  const open = items.entries();
  async function worker(): Promise<void> {
    for (const [index, item] of open) {
      if (signal?.aborted) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        if (!signal?.aborted) throw error;
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}

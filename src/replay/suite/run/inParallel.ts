/**
 * Processes items in order, a number of them at a time. Resolves with the results, undefined for items that were not
 * started or not finished when the signal was aborted.
 *
 * @param work should end soon when its signal is aborted: after a failure of other work or of the caller's signal
 * @throws the first error of the work, after all of it has ended; nothing when the caller's signal is aborted
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  signal?: AbortSignal,
): Promise<readonly (Result | undefined)[]> {
  const failed = new AbortController();
  const ending = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  const results = items.map((): Result | undefined => undefined);
  const open = items.entries();
  async function worker(): Promise<void> {
    for (const [index, item] of open) {
      if (ending.aborted) return;
      try {
        results[index] = await work(item, ending);
      } catch (error) {
        if (!ending.aborted) failed.abort(error);
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (failed.signal.aborted) throw failed.signal.reason;
  return results;
}

/** The limit on streams of each account at the same time. */
export interface StreamSlots {
  /**
   * Takes a slot for a stream.
   *
   * @returns a function that gives it back, and resolves when other processes know it; undefined when the account has
   * reached the limit
   * @throws RxscribeError `store`
   */
  take(accountId: string, limit: number): Promise<(() => Promise<void>) | undefined>;
}

/** Creates the limits of a service of one process. */
export function createLocalStreamSlots(): StreamSlots {
  const streams = new Map<string, number>();
  const add = (accountId: string, change: number) => {
    const now = (streams.get(accountId) ?? 0) + change;
    if (now === 0) streams.delete(accountId);
    else streams.set(accountId, now);
  };
  return {
    async take(accountId, limit) {
      if ((streams.get(accountId) ?? 0) >= limit) return undefined;
      add(accountId, 1);
      return async () => add(accountId, -1);
    },
  };
}

import { createTally } from './tally.ts';

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
  const streams = createTally();
  return {
    async take(accountId, limit) {
      if (streams.of(accountId) >= limit) return undefined;
      streams.add(accountId, 1);
      return async () => streams.add(accountId, -1);
    },
  };
}

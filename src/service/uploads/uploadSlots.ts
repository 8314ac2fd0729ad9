import { createTally } from '../rateLimits/tally.ts';

/** The uploads in progress of each account. */
export interface UploadSlots {
  /** Returns a slot for one upload, to be disposed of afterwards; undefined when the account has reached its limit. */
  take(accountId: string): Disposable | undefined;
}

/** @param perAccount maximum uploads of one account at the same time */
export function createUploadSlots(perAccount: number): UploadSlots {
  const uploads = createTally();
  return {
    take(accountId) {
      if (uploads.of(accountId) >= perAccount) return undefined;
      uploads.add(accountId, 1);
      return { [Symbol.dispose]: () => uploads.add(accountId, -1) };
    },
  };
}

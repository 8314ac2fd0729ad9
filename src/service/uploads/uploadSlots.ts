/** The uploads in progress of each account. */
export interface UploadSlots {
  /** Returns a slot for one upload, to be disposed of afterwards; undefined when the account has reached its limit. */
  take(accountId: string): Disposable | undefined;
}

/** @param perAccount maximum uploads of one account at the same time */
export function createUploadSlots(perAccount: number): UploadSlots {
  const taken = new Map<string, number>();
  return {
    take(accountId) {
      const count = taken.get(accountId) ?? 0;
      if (count >= perAccount) return undefined;
      taken.set(accountId, count + 1);
      return {
        [Symbol.dispose]() {
          const left = taken.get(accountId)! - 1;
          if (left > 0) taken.set(accountId, left);
          else taken.delete(accountId);
        },
      };
    },
  };
}

/** Creates counts by key, such as an account. A count of 0 takes no memory. */
export function createTally() {
  const counts = new Map<string, number>();
  const of = (key: string) => counts.get(key) ?? 0;
  return {
    of,
    add(key: string, change: number): void {
      const now = of(key) + change;
      if (now === 0) counts.delete(key);
      else counts.set(key, now);
    },
  };
}

/** The uploads in progress of each account. */
export type UploadSlots = ReturnType<typeof createUploadSlots>;

/** @param perAccount maximum uploads of one account at the same time */
export function createUploadSlots(perAccount: number) {
  const uploads = createTally();
  return {
    /** Returns a slot for one upload, to be disposed of afterwards; undefined when the account has reached its limit. */
    take(accountId: string): Disposable | undefined {
      if (uploads.of(accountId) >= perAccount) return undefined;
      uploads.add(accountId, 1);
      return { [Symbol.dispose]: () => uploads.add(accountId, -1) };
    },
  };
}

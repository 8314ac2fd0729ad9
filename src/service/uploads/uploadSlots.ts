/** Who is uploading how much at the moment. */
export interface UploadSlots {
  /** A place for one upload of an account, which must be given back; undefined when it has all that it may have. */
  take(accountId: string): Disposable | undefined;
}

/** @param perAccount uploads of one account at the same time */
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

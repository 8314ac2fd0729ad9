/** Bytes of audio that may wait for recognisers. */
export interface BacklogLimits {
  readonly accountBacklogBytes: number;
  readonly backlogBytes: number;
}

/** The share that one stream has in what waits. */
export interface BacklogShare {
  add(bytes: number): void;
  /** Whether the streams of the account, or all streams, have as much waiting as they may. */
  readonly isFull: boolean;
}

/** Counts the audio that waits, over the streams of each account and over all. Returns the share of a stream. */
export function createBacklog(limits: BacklogLimits): (accountId: string) => BacklogShare {
  const byAccount = new Map<string, number>();
  let total = 0;
  return accountId => ({
    add(bytes) {
      total += bytes;
      const ofAccount = (byAccount.get(accountId) ?? 0) + bytes;
      if (ofAccount === 0) byAccount.delete(accountId);
      else byAccount.set(accountId, ofAccount);
    },
    get isFull() {
      const ofAccount = byAccount.get(accountId) ?? 0;
      return ofAccount >= limits.accountBacklogBytes || total >= limits.backlogBytes;
    },
  });
}

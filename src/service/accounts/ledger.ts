import type { CreditMeter } from './accounts.ts';

/** Accounts whose credit is remembered at the same time, beside those that use it. */
const MAX_ACCOUNTS = 10_000;

/** The credit of accounts as far as this process knows it, with what its running jobs have used. */
export interface Ledger {
  /** Seconds that are booked and not held for other jobs; undefined while not known. */
  credit(accountId: string): number | undefined;
  setCredit(accountId: string, seconds: number): void;
  /** Takes seconds off a credit that is known. */
  book(accountId: string, seconds: number): void;
  /** Accounts with something used that is not booked. */
  inUse(): readonly string[];
  /** @param settle books the seconds; what it resolves to is waited for before they are no longer counted as open */
  openMeter(accountId: string, settle: (seconds: number) => void | Promise<void>): CreditMeter;
}

/** An empty ledger. */
export function createLedger(): Ledger {
  const credits = new Map<string, number>();
  const open = new Map<string, number>();
  const addOpen = (accountId: string, seconds: number) => {
    const sum = (open.get(accountId) ?? 0) + seconds;
    // What is left after the last meter is the rounding of sums.
    if (Math.abs(sum) < 1e-6) open.delete(accountId);
    else open.set(accountId, sum);
  };
  return {
    credit: accountId => credits.get(accountId),
    setCredit(accountId, seconds) {
      credits.set(accountId, seconds);
      if (credits.size <= MAX_ACCOUNTS) return;
      for (const id of credits.keys()) if (id !== accountId && !open.has(id)) credits.delete(id);
    },
    book(accountId, seconds) {
      const credit = credits.get(accountId);
      if (credit !== undefined) credits.set(accountId, credit - seconds);
    },
    inUse: () => [...open.keys()],
    openMeter(accountId, settle) {
      let used = 0;
      let settled = false;
      return {
        get hasCredit() {
          const credit = credits.get(accountId);
          return credit === undefined || credit - (open.get(accountId) ?? 0) > 0;
        },
        use(seconds) {
          used += seconds;
          addOpen(accountId, seconds);
        },
        settle() {
          if (settled) return;
          settled = true;
          if (used === 0) return;
          void Promise.resolve(settle(used)).finally(() => addOpen(accountId, -used));
        },
      };
    },
  };
}

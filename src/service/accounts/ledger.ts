import type { CreditMeter } from './accounts.ts';

/** Accounts whose credit is remembered, besides those with running jobs. */
const MAX_ACCOUNTS = 10_000;

/** The credit of accounts as known to this process, and the use of its running jobs. */
export interface Ledger {
  /** Booked seconds that are not held for other jobs; undefined while unknown. */
  credit(accountId: string): number | undefined;
  setCredit(accountId: string, seconds: number): void;
  /** Subtracts seconds from a known credit. */
  book(accountId: string, seconds: number): void;
  /** Returns the accounts with use that is not booked. */
  inUse(): readonly string[];
  /** @param settle books the seconds; they count as open until its promise settles */
  openMeter(accountId: string, settle: (seconds: number) => void | Promise<void>): CreditMeter;
}

/** Creates an empty ledger. */
export function createLedger(): Ledger {
  const credits = new Map<string, number>();
  const open = new Map<string, number>();
  const addOpen = (accountId: string, seconds: number) => {
    const sum = (open.get(accountId) ?? 0) + seconds;
    // The rest after the last meter is a rounding error.
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

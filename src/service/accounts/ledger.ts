import type { CreditMeter } from './accounts.ts';

/** Balances as far as this process knows them, with what its running jobs have used. */
export interface Ledger {
  /** Seconds that are booked; undefined while not known. */
  balance(accountId: string): number | undefined;
  setBalance(accountId: string, seconds: number): void;
  /** Takes seconds off a balance that is known. */
  book(accountId: string, seconds: number): void;
  /** @param settle books the seconds; what it resolves to is waited for before they are no longer counted as open */
  openMeter(accountId: string, settle: (seconds: number) => void | Promise<void>): CreditMeter;
}

/** An empty ledger. */
export function createLedger(): Ledger {
  const balances = new Map<string, number>();
  const open = new Map<string, number>();
  const addOpen = (accountId: string, seconds: number) => {
    const sum = (open.get(accountId) ?? 0) + seconds;
    // What is left after the last meter is the rounding of sums.
    if (Math.abs(sum) < 1e-6) open.delete(accountId);
    else open.set(accountId, sum);
  };
  return {
    balance: accountId => balances.get(accountId),
    setBalance: (accountId, seconds) => void balances.set(accountId, seconds),
    book(accountId, seconds) {
      const balance = balances.get(accountId);
      if (balance !== undefined) balances.set(accountId, balance - seconds);
    },
    openMeter(accountId, settle) {
      let used = 0;
      let settled = false;
      return {
        get hasCredit() {
          const balance = balances.get(accountId);
          return balance === undefined || balance - (open.get(accountId) ?? 0) > 0;
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

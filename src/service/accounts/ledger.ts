import { createId } from '../../base/ids.ts';
import type { CreditMeter } from './accounts.ts';

/** Maximum number of accounts whose credit is remembered, besides those with running jobs. */
const MAX_ACCOUNTS = 10_000;

/** The use of one job. */
export interface Use {
  /** Id of the meter. */
  readonly meterId: string;
  /** Seconds of the meter so far, in total. */
  readonly totalSeconds: number;
  /** Seconds that no booking has confirmed. */
  readonly seconds: number;
}

/** Books use on an account. A booking that rejects may have taken place, and its seconds are part of the next one. */
export type BookUse = (use: Use) => void | Promise<void>;

/** The credit of accounts as known to this process, and the use of its running jobs. */
export type Ledger = ReturnType<typeof createLedger>;

interface Meter {
  readonly accountId: string;
  readonly book: BookUse;
  readonly id: string;
  totalSeconds: number;
  /** Part of the total that is booked. */
  bookedSeconds: number;
  isSettled: boolean;
  /** The booking under way. */
  booking?: Promise<void>;
}

/** Creates an empty ledger. */
export function createLedger() {
  const credits = new Map<string, number>();
  const open = new Map<string, number>();
  /** Meters with use that are not settled and booked. */
  const meters = new Set<Meter>();
  const addOpen = (accountId: string, seconds: number) => {
    const sum = (open.get(accountId) ?? 0) + seconds;
    // The rest after the last meter is a rounding error.
    if (Math.abs(sum) < 1e-6) open.delete(accountId);
    else open.set(accountId, sum);
  };

  async function bookRest(meter: Meter): Promise<void> {
    try {
      do {
        const { id: meterId, totalSeconds } = meter;
        const seconds = totalSeconds - meter.bookedSeconds;
        await meter.book({ meterId, totalSeconds, seconds });
        meter.bookedSeconds = totalSeconds;
        addOpen(meter.accountId, -seconds);
        // Use during the booking has no later booking.
      } while (meter.isSettled && meter.totalSeconds > meter.bookedSeconds);
      if (meter.isSettled) meters.delete(meter);
    } catch {
      // The next booking includes it.
    }
  }

  async function bookMeter(meter: Meter): Promise<void> {
    meter.booking ??= bookRest(meter).finally(() => {
      meter.booking = undefined;
    });
    await meter.booking;
  }

  return {
    /** Returns the booked seconds that are not held for other jobs; undefined while unknown. */
    credit: (accountId: string) => credits.get(accountId),
    setCredit(accountId: string, seconds: number): void {
      credits.set(accountId, seconds);
      if (credits.size <= MAX_ACCOUNTS) return;
      for (const id of credits.keys()) {
        if (id !== accountId && !open.has(id)) credits.delete(id);
      }
    },
    /** Subtracts seconds from a known credit. */
    book(accountId: string, seconds: number): void {
      const credit = credits.get(accountId);
      if (credit !== undefined) credits.set(accountId, credit - seconds);
    },
    /** Returns the accounts with running jobs that used something, or with use that is not booked. */
    inUse: (): readonly string[] => [...new Set([...meters].map(({ accountId }) => accountId))],
    /** Opens the meter of a job, whose use is booked when it is settled, and by `bookUse`. */
    openMeter(accountId: string, book: BookUse): CreditMeter {
      const counters = { totalSeconds: 0, bookedSeconds: 0 };
      const meter: Meter = { id: createId(), accountId, book, ...counters, isSettled: false };
      return {
        get hasCredit() {
          const credit = credits.get(accountId);
          return credit === undefined || credit - (open.get(accountId) ?? 0) > 0;
        },
        use(seconds) {
          meters.add(meter);
          meter.totalSeconds += seconds;
          addOpen(accountId, seconds);
        },
        settle() {
          if (meter.isSettled) return;
          meter.isSettled = true;
          if (meters.has(meter)) void bookMeter(meter);
        },
      };
    },
    /** Books the use of all meters so far. */
    async bookUse(): Promise<void> {
      await Promise.all([...meters].map(bookMeter));
    },
  };
}

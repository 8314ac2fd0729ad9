import type { Clock } from '../../base/clock.ts';

/** Milliseconds for which a count is used; other processes may add jobs of the account meanwhile. */
const COUNT_VALID_MS = 60_000;
const MAX_ACCOUNTS = 10_000;

export interface JobSlotsOptions {
  /** Counts the jobs of an account in progress, up to a limit. */
  readonly count: (accountId: string, limit: number) => Promise<number>;
  readonly clock: Clock;
}

/** The limit on jobs in progress of each account. */
export interface JobSlots {
  /** Returns whether there is room for one more job, and counts it. */
  take(accountId: string, limit: number): Promise<boolean>;
}

interface Count {
  /** Resolves when the jobs are counted. */
  readonly counted: Promise<void>;
  /** Jobs in progress when counted, plus those since; undefined before. */
  jobs?: number;
  untilMs: number;
}

/**
 * Creates the limits. Jobs are counted only when it may matter: an account far below its limit once a minute, however many
 * jobs it submits.
 */
export function createJobSlots({ count, clock }: JobSlotsOptions): JobSlots {
  const counts = new Map<string, Count>();

  function countAnew(accountId: string, limit: number): Count {
    const began = count(accountId, limit);
    const entry: Count = {
      untilMs: clock.now() + COUNT_VALID_MS,
      counted: began.then(jobs => {
        entry.jobs = jobs;
      }),
    };
    if (counts.size >= MAX_ACCOUNTS) counts.clear();
    counts.set(accountId, entry);
    entry.counted.catch(() => counts.delete(accountId));
    return entry;
  }

  return {
    async take(accountId, limit) {
      const known = counts.get(accountId);
      const isStale = known?.jobs !== undefined && (known.jobs >= limit || clock.now() >= known.untilMs);
      const entry = !known || isStale ? countAnew(accountId, limit) : known;
      await entry.counted;
      if (entry.jobs! >= limit) return false;
      entry.jobs! += 1;
      return true;
    },
  };
}

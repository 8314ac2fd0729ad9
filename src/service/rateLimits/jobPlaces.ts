import type { Clock } from '../../base/clock.ts';

/** How long a count is built upon; other services may take jobs of the same account meanwhile. */
const COUNT_VALID_MS = 60_000;
const MAX_ACCOUNTS = 10_000;

export interface JobPlacesOptions {
  /** Jobs of an account that are in progress; counting ends at a limit. */
  readonly count: (accountId: string, limit: number) => Promise<number>;
  readonly clock: Clock;
}

/** Places for jobs in progress, so many an account. */
export interface JobPlaces {
  /** Whether there is a place for one job more. */
  take(accountId: string, limit: number): Promise<boolean>;
}

interface Count {
  /** Resolves when it was counted. */
  readonly counted: Promise<void>;
  /** Jobs in progress when it was counted, and all that came since; undefined before. */
  jobs?: number;
  untilMs: number;
}

/**
 * Counts only when it may matter: an account far below its limit is asked for once a minute, however many jobs it
 * submits.
 */
export function createJobPlaces({ count, clock }: JobPlacesOptions): JobPlaces {
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

import type { Clock } from '../../base/clock.ts';
import type { AccountLimits } from '../limits.ts';
import { createTally } from './tally.ts';

/** Maximum milliseconds for which a count is used. */
const COUNT_VALID_MS = 60_000;
const MAX_ACCOUNTS = 10_000;

/** Counts the jobs of an account in progress, up to a limit. */
type CountJobs = (accountId: string, limit: number) => Promise<number>;

/** The limit on jobs in progress of each account. */
export type JobSlots = ReturnType<typeof createJobSlots>;

interface Count {
  /** Resolves when the jobs are counted. */
  readonly counted: Promise<void>;
  /** Jobs in progress when counted, plus those since; undefined before. */
  jobs?: number;
  untilMs: number;
}

/**
 * Creates the limits. Jobs are counted again only when the account may have reached its limit: by the rate of its requests,
 * which all processes share, and after a minute at most. Several processes may exceed the limit by the jobs that they accept at
 * the same moment.
 */
export function createJobSlots(count: CountJobs, clock: Clock) {
  const counts = new Map<string, Count>();
  /** Submissions in progress, which have no job yet. */
  const submitting = createTally();

  function countAnew(accountId: string, limits: AccountLimits): Count {
    const before = submitting.of(accountId);
    const entry: Count = {
      untilMs: Number.POSITIVE_INFINITY,
      counted: count(accountId, limits.jobsInProgress).then(jobs => {
        entry.jobs = jobs + before;
        entry.untilMs = clock.now() + Math.min(COUNT_VALID_MS, millisecondsToFill(entry.jobs, limits));
      }),
    };
    if (counts.size >= MAX_ACCOUNTS) counts.clear();
    counts.set(accountId, entry);
    entry.counted.catch(() => counts.delete(accountId));
    return entry;
  }

  return {
    /**
     * Takes a slot for a job that is being submitted.
     *
     * @returns a function to be called when the submission is over, idempotent; undefined when the account has reached its limit
     */
    async take(accountId: string, limits: AccountLimits): Promise<(() => void) | undefined> {
      const known = counts.get(accountId);
      const isStale = known !== undefined && clock.now() >= known.untilMs;
      const entry = !known || isStale ? countAnew(accountId, limits) : known;
      await entry.counted;
      if (entry.jobs! >= limits.jobsInProgress) return undefined;
      entry.jobs! += 1;
      let held = 1;
      submitting.add(accountId, held);
      return () => {
        submitting.add(accountId, -held);
        held = 0;
      };
    },
  };
}

/** Returns the milliseconds in which the requests of an account cannot fill its slots. */
function millisecondsToFill(
  jobs: number,
  { jobsInProgress, requestsPerSecond, requestBurst }: AccountLimits,
): number {
  return Math.max(0, ((jobsInProgress - jobs - requestBurst) / requestsPerSecond) * 1000);
}

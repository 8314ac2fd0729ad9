import type { Clock } from '../../base/clock.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { AccountLimits, ServiceLimits } from '../limits.ts';
import { type AuthenticationThrottle, createAuthenticationThrottle } from './authenticationThrottle.ts';
import { createLocalRates, type Rates } from './bucket.ts';
import { createJobSlots, type JobSlots } from './jobSlots.ts';
import { createTally } from './tally.ts';

/** A limit on the streams with a common key, beside the limit of their account. */
export type GroupLimit = Readonly<{ key: string; limit: number }>;

/** The limit on streams of each account at the same time. */
export interface StreamSlots {
  /**
   * Takes a slot for a stream.
   *
   * @returns a function that gives it back, and resolves when other processes know it; undefined when the account has
   * reached the limit, or the group its own
   * @throws RxscribeError `store`
   */
  take(accountId: string, limit: number, group?: GroupLimit): Promise<(() => Promise<void>) | undefined>;
}

/** Creates the limits of a service of one process. */
function createLocalStreamSlots(): StreamSlots {
  const streams = createTally();
  return {
    async take(accountId, limit, group) {
      const limits = [{ key: accountId, limit }, ...(group ? [group] : [])];
      if (limits.some(each => streams.of(each.key) >= each.limit)) return undefined;
      for (const { key } of limits) streams.add(key, 1);
      return async () => {
        for (const { key } of limits) streams.add(key, -1);
      };
    },
  };
}

/** Limits of accounts that the processes of a service share. */
export interface SharedLimits {
  /** Rates of requests by account. */
  readonly rates: Rates;
  readonly streamSlots: StreamSlots;
}

/** Creates the limits of a service of one process. */
export function createLocalLimits(clock: Clock): SharedLimits {
  return { rates: createLocalRates(clock), streamSlots: createLocalStreamSlots() };
}

/** The limits that keep a single client from exhausting the service. */
export interface RateLimits extends SharedLimits {
  /** Limits of an account without its own. */
  readonly accountLimits: AccountLimits;
  readonly throttle: AuthenticationThrottle;
  readonly jobSlots: JobSlots;
}

export function createRateLimits(
  { account, guesses }: ServiceLimits,
  { jobs, limits }: { readonly jobs: Jobs; readonly limits: SharedLimits },
  clock: Clock,
): RateLimits {
  return {
    ...limits,
    accountLimits: account,
    throttle: createAuthenticationThrottle(guesses, clock),
    jobSlots: createJobSlots(jobs.countInProgress, clock),
  };
}

import type { Clock } from '../../base/clock.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { AccountLimits, ServiceLimits } from '../limits.ts';
import { type AuthenticationThrottle, createAuthenticationThrottle } from './authenticationThrottle.ts';
import { createRates, type Rates } from './bucket.ts';
import { createJobSlots, type JobSlots } from './jobSlots.ts';

/** The limits that keep one client from using up the service. */
export interface RateLimits {
  /** Limits of an account that has none of its own. */
  readonly accountLimits: AccountLimits;
  readonly throttle: AuthenticationThrottle;
  /** Rates of requests by account. */
  readonly rates: Rates;
  readonly jobSlots: JobSlots;
}

export function createRateLimits({ account, guesses }: ServiceLimits, jobs: Jobs, clock: Clock): RateLimits {
  return {
    accountLimits: account,
    throttle: createAuthenticationThrottle({ limits: guesses, clock }),
    rates: createRates(clock),
    jobSlots: createJobSlots({ count: jobs.countInProgress, clock }),
  };
}

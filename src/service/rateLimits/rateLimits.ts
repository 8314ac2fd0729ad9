import type { Clock } from '../../base/clock.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { AccountLimits, ServiceLimits } from '../limits.ts';
import { type AuthenticationThrottle, createAuthenticationThrottle } from './authenticationThrottle.ts';
import { createRates, type Rates } from './bucket.ts';
import { createJobPlaces, type JobPlaces } from './jobPlaces.ts';

/** What keeps one client from taking the service from the others. */
export interface RateLimits {
  /** Of an account without its own. */
  readonly accountLimits: AccountLimits;
  readonly throttle: AuthenticationThrottle;
  /** Of requests, by account. */
  readonly rates: Rates;
  readonly places: JobPlaces;
}

export function createRateLimits({ account, guesses }: ServiceLimits, jobs: Jobs, clock: Clock): RateLimits {
  return {
    accountLimits: account,
    throttle: createAuthenticationThrottle({ limits: guesses, clock }),
    rates: createRates(clock),
    places: createJobPlaces({ count: jobs.countInProgress, clock }),
  };
}

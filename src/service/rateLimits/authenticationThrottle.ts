import type { Clock } from '../../base/clock.ts';
import { networkOf } from '../../web/requestAddresses.ts';
import type { GuessLimits } from '../limits.ts';
import { createLocalRates } from './bucket.ts';

/** The result of an authentication. */
export type Authentication<T> =
  | { readonly kind: 'known'; readonly caller: T }
  | { readonly kind: 'unauthorized' }
  /** Too many invalid tokens came from this address. */
  | { readonly kind: 'throttled'; readonly waitMs: number };

/** A throttle of authentication, by the address of the client. */
export type AuthenticationThrottle = ReturnType<typeof createAuthenticationThrottle>;

/**
 * Creates a throttle, which answers further invalid tokens of an address with 429 once there were too many. Guessing itself
 * is not slowed: a valid token is always accepted, since behind a proxy all clients have one address.
 *
 * So every token is looked up, and a restart loses nothing. The answers reveal no more than whether a token is valid,
 * which is safe because generated tokens have 256 random bits: at a million guesses per second none is found. Chosen
 * tokens are as strong as they are long. A guess costs one hash and a place in the next lookup, of which only few run at
 * a time (see `joinLookups`).
 */
export function createAuthenticationThrottle(limits: GuessLimits, clock: Clock) {
  const rates = createLocalRates(clock);
  return {
    /** @param lookUp resolves with the caller of a token; undefined for an invalid one */
    async authenticate<T>(
      address: string | undefined,
      token: string | undefined,
      lookUp: (token: string) => Promise<T | undefined>,
    ): Promise<Authentication<T>> {
      // A request without a token is no guess.
      if (!token) return { kind: 'unauthorized' };
      const caller = await lookUp(token);
      if (caller !== undefined) return { kind: 'known', caller };
      const waitMs = await rates.take(networkOf(address), limits);
      return waitMs > 0 ? { kind: 'throttled', waitMs } : { kind: 'unauthorized' };
    },
  };
}

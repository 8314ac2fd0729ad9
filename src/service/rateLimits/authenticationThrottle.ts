import { isIPv6 } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import type { GuessLimits } from '../limits.ts';
import { createRates } from './bucket.ts';

export interface AuthenticationThrottleOptions {
  readonly limits: GuessLimits;
  readonly clock: Clock;
}

/** The answer to somebody who brings a token. */
export type Reception<T> =
  | { readonly kind: 'known'; readonly who: T }
  | { readonly kind: 'unknown' }
  /** Too many tokens from this address that nobody has. */
  | { readonly kind: 'later'; readonly waitMs: number };

/**
 * Slows down who guesses tokens: after too many wrong ones from an address, the next wrong ones are told to wait.
 *
 * A right token is let in whatever else comes from there, for behind a proxy all clients have one address. So each token
 * is looked up, and nothing is decided by address, by time or by what was known before: a restart forgets nothing. That
 * tells a guesser no more than the answers do anyway, right or wrong, and is safe because tokens that the service makes
 * have 256 random bits: at a million guesses a second none is found. Those that somebody chooses are as strong as they
 * are long. The cost of a guess is one hash and a place in the next lookup, of which only few run at a time however many
 * guess (see `joinLookups`).
 */
export interface AuthenticationThrottle {
  /** @param recognize says whose the token is */
  receive<T>(
    address: string | undefined,
    token: string | undefined,
    recognize: (token: string) => Promise<T | undefined>,
  ): Promise<Reception<T>>;
}

export function createAuthenticationThrottle({
  limits,
  clock,
}: AuthenticationThrottleOptions): AuthenticationThrottle {
  const rates = createRates(clock);
  return {
    async receive(address, token, recognize) {
      // Nothing is learnt of tokens by bringing none.
      if (!token) return { kind: 'unknown' };
      const who = await recognize(token);
      if (who !== undefined) return { kind: 'known', who };
      const from = networkOf(address ?? '');
      const waitMs = rates.waitMs(from, limits);
      if (waitMs > 0) return { kind: 'later', waitMs };
      rates.take(from, limits);
      return { kind: 'unknown' };
    },
  };
}

/** The network of an address: of version 6, whoever has one address has the other 2^64 of its network as well. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head, tail] = address.split('::').map(half => half.split(':').filter(group => group !== ''));
  const zeros = tail ? Array(8 - head!.length - tail.length).fill('0') : [];
  return [...head!, ...zeros, ...(tail ?? [])].slice(0, 4).join(':');
}

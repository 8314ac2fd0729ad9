import { isIPv6 } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { hashToken } from '../accounts/tokens.ts';
import type { GuessLimits } from '../limits.ts';
import { createRates } from './rates.ts';

/** Pairs of an address and a good token that are remembered. */
const MAX_GUESTS = 10_000;

export interface DoorkeeperOptions {
  readonly limits: GuessLimits;
  readonly clock: Clock;
}

/** What the door says to who brings a token. */
export type Reception<T> =
  | { readonly kind: 'known'; readonly who: T }
  | { readonly kind: 'unknown' }
  /** Too many tokens from this address that nobody has. */
  | { readonly kind: 'later'; readonly waitMs: number };

/**
 * Keeps tokens from being guessed fast: an address that brought too many wrong ones has to wait before the next is
 * looked at. Who brought a good token from there before does not: behind a proxy, all clients have one address.
 */
export interface Doorkeeper {
  /** @param recognize says whose the token is */
  receive<T>(
    address: string | undefined,
    token: string | undefined,
    recognize: (token: string) => Promise<T | undefined>,
  ): Promise<Reception<T>>;
}

export function createDoorkeeper({ limits, clock }: DoorkeeperOptions): Doorkeeper {
  const rates = createRates(clock);
  const guests = new Set<string>();
  return {
    async receive(address, token, recognize) {
      // Nothing is learnt of tokens by bringing none.
      if (!token) return { kind: 'unknown' };
      const from = networkOf(address ?? '');
      const guest = `${from} ${hashToken(token)}`;
      const waitMs = guests.has(guest) ? 0 : rates.waitMs(from, limits);
      if (waitMs > 0) return { kind: 'later', waitMs };
      const who = await recognize(token);
      // Last in the order of the set is who came last.
      guests.delete(guest);
      if (who === undefined) {
        rates.take(from, limits);
        return { kind: 'unknown' };
      }
      guests.add(guest);
      if (guests.size > MAX_GUESTS) guests.delete(guests.values().next().value!);
      return { kind: 'known', who };
    },
  };
}

/** Of version 6, whoever has one address has the other 2^64 of its network as well. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head, tail] = address.split('::').map(half => half.split(':').filter(group => group !== ''));
  const zeros = tail ? Array(8 - head!.length - tail.length).fill('0') : [];
  return [...head!, ...zeros, ...(tail ?? [])].slice(0, 4).join(':');
}

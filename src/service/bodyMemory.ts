import type { HttpLimits } from './limits.ts';
import { tooManyRequests } from './problems.ts';

/** Milliseconds after which a client may try again: others are being read until then. */
const MEMORY_WAIT_MS = 10_000;

/** The bytes of one body that is held in memory; disposing gives them back. */
export interface HeldBody extends Disposable {
  /** @throws ProblemError `tooManyRequests` when there is no room for so many bytes more */
  add(bytes: number): void;
}

/** A count of the bytes of all JSON that is held in memory, from its first byte to the answer. */
export interface BodyMemory {
  hold(accountId: string): HeldBody;
}

export function createBodyMemory({ accountBodiesBytes, bodiesBytes }: HttpLimits): BodyMemory {
  const ofAccounts = new Map<string, number>();
  let ofAll = 0;
  return {
    hold(accountId) {
      let held = 0;
      const count = (bytes: number) => {
        const ofAccount = (ofAccounts.get(accountId) ?? 0) + bytes;
        if (ofAccount > 0) ofAccounts.set(accountId, ofAccount);
        else ofAccounts.delete(accountId);
        ofAll += bytes;
        held += bytes;
      };
      return {
        add(bytes) {
          const others = (ofAccounts.get(accountId) ?? 0) - held;
          // One body alone is bounded by its own limit.
          const isFull = others > 0 && others + held + bytes > accountBodiesBytes;
          if (isFull || (ofAll > held && ofAll + bytes > bodiesBytes)) throw tooManyRequests(MEMORY_WAIT_MS);
          count(bytes);
        },
        [Symbol.dispose]: () => count(-held),
      };
    },
  };
}

import { type Clock, delay } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { isOutOfSpace } from './storeErrors.ts';

/** Milliseconds between two attempts to reach the store. */
export const STORE_RETRY_MS = 2000;

/** Returns whether a write failed for a temporary reason: the database is unreachable, or the disk is full. */
export function isStoreUnavailable(error: unknown): boolean {
  return (error instanceof RxscribeError && error.code === 'store') || isOutOfSpace(error);
}

/**
 * Repeats a write that must not be lost while the database is unreachable or the disk is full.
 *
 * @param options.onError called for the first failed attempt only
 * @throws the signal's reason, and any other error of the write
 */
export async function retryUntilStored<T>(
  write: () => Promise<T>,
  options: {
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly onError: (error: unknown) => void;
  },
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      if (tries === 1) options.onError(error);
      await delay(STORE_RETRY_MS, options);
    }
  }
}

import { type Clock, delay } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { isOutOfRoom } from '../store/databaseGone.ts';

/** Between two tries to reach a store that is away. */
export const STORE_RETRY_MS = 2000;

/** Returns whether a write failed for a reason that passes: the database is away, or the disk is full. */
export function isStoreAway(error: unknown): boolean {
  return (error instanceof RxscribeError && error.code === 'store') || isOutOfRoom(error);
}

/**
 * Writes what must not be lost: as long as the database is away or the disk is full, it is tried again.
 *
 * @param options.onError told of the first failed try, not of those after it
 * @throws the signal's reason; what else the write throws
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
      if (!isStoreAway(error)) throw error;
      if (tries === 1) options.onError(error);
      await delay(STORE_RETRY_MS, options);
    }
  }
}

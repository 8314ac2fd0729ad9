import { type Clock, delay } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';

/** Between two tries to reach a database that is away. */
export const STORE_RETRY_MS = 2000;

/**
 * Writes what must not be lost: as long as the store is away, it is tried again.
 *
 * @throws the signal's reason; what else the write throws
 */
export async function untilStored<T>(
  write: () => Promise<T>,
  options: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof RxscribeError) || error.code !== 'store') throw error;
      await delay(STORE_RETRY_MS, options);
    }
  }
}

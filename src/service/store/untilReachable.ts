import { type Clock, delay } from '../../base/clock.ts';
import { ObjectStoreError } from './objectStoreError.ts';
import { isDatabaseUnreachable, unreachableReason } from './storeErrors.ts';
import { STORE_RETRY_MS } from './storeRetry.ts';

/** A server that cannot be reached at the moment. */
export interface Unreachable {
  readonly server: 'database' | 'object store';
  readonly reason: string;
}

/** Returns the server that an error says cannot be reached; undefined for other errors. */
export function unreachableServer(error: unknown): Unreachable | undefined {
  if (error instanceof ObjectStoreError) {
    return error.isUnreachable ? { server: 'object store', reason: error.reason } : undefined;
  }
  return isDatabaseUnreachable(error) ? { server: 'database', reason: unreachableReason(error) } : undefined;
}

export interface ReachOptions {
  readonly clock: Clock;
  /** Called for each failed attempt. */
  readonly onUnreachable?: (unreachable: Unreachable) => void;
  /** Called instead of it when that is absent. */
  readonly onError: (error: unknown) => void;
  /** Aborting it ends the attempts, but not one in progress. The first is always made. */
  readonly signal: AbortSignal;
}

/**
 * Repeats an attempt until a server can be reached.
 *
 * @throws the error of an attempt that another one would not cure; the signal's reason
 */
export async function untilReachable<T>(attempt: () => Promise<T>, options: ReachOptions): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const unreachable = unreachableServer(error);
      if (!unreachable) throw error;
      if (options.onUnreachable) options.onUnreachable(unreachable);
      else options.onError(error);
      await delay(STORE_RETRY_MS, options);
    }
  }
}

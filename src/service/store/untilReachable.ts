import { type Clock, delay } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { ObjectStoreError } from './objectStoreError.ts';
import { isDatabaseUnreachable, isOutOfSpace, unreachableReason } from './storeErrors.ts';

/** Milliseconds between two attempts to reach the store. */
export const STORE_RETRY_MS = 2000;

/**
 * Repeats an attempt until it succeeds.
 *
 * @param onFailure called for each failed attempt, with the number of attempts; what it throws ends them
 * @throws the signal's reason
 */
export async function repeated<T>(
  attempt: () => Promise<T>,
  options: { readonly clock: Clock; readonly signal: AbortSignal },
  onFailure: (error: unknown, tries: number) => void,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      onFailure(error, tries);
      await delay(STORE_RETRY_MS, options);
    }
  }
}

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
  return repeated(write, options, (error, tries) => {
    if (!isStoreUnavailable(error)) throw error;
    if (tries === 1) options.onError(error);
  });
}

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
  /** Called when `onUnreachable` is absent. */
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
  return repeated(attempt, options, error => {
    const unreachable = unreachableServer(error);
    if (!unreachable) throw error;
    if (options.onUnreachable) options.onUnreachable(unreachable);
    else options.onError(error);
  });
}

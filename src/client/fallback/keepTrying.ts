import { type BackoffOptions, fullJitterMs } from '../../base/backoff.ts';
import { type Clock, delay } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { isRetryable } from '../serviceErrors.ts';

/** Limits of the waits for a transient fault. */
export interface RetryLimits {
  /** Milliseconds of all waits together. */
  readonly maxWaitMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called before each wait. */
  readonly onWait?: (error: RxscribeError, delayMs: number) => void;
}

/** Waits before the next attempt: for a service that is unreachable, busy or faulty, and for an account without credit. */
const WAITS: Readonly<Record<'service' | 'credit', BackoffOptions>> = {
  service: { baseMs: 1000, capMs: 60_000 },
  // Each attempt may be an upload, and an account is not topped up within seconds.
  credit: { baseMs: 4000, capMs: 300_000 },
};

/**
 * Repeats an attempt until it succeeds, as long as its fault is transient: a service that is unreachable, busy or restarting,
 * and credit that is used up. A `Retry-After` of the service is respected.
 *
 * @param attempt takes the number of earlier attempts
 * @throws the error of a permanent fault, or the last one when the time is used up; the signal's reason
 */
export async function keepTrying<T>(attempt: (round: number) => Promise<T>, limits: RetryLimits): Promise<T> {
  const { maxWaitMs, clock, signal, onWait } = limits;
  let waitedMs = 0;
  for (let round = 0; ; round++) {
    try {
      signal.throwIfAborted();
      return await attempt(round);
    } catch (error) {
      signal.throwIfAborted();
      const delayMs = waitAfter(error, round);
      if (delayMs === undefined || waitedMs + delayMs > maxWaitMs) throw error;
      waitedMs += delayMs;
      onWait?.(error as RxscribeError, delayMs);
      await delay(delayMs, { clock, signal });
    }
  }
}

/** Returns the wait after an error in milliseconds; undefined for a permanent fault. */
function waitAfter(error: unknown, round: number): number | undefined {
  if (error instanceof RxscribeError && error.code === 'out-of-credit')
    return fullJitterMs(round, WAITS.credit);
  if (!isRetryable(error)) return undefined;
  return Math.max(fullJitterMs(round, WAITS.service), (error.retryAfterSeconds ?? 0) * 1000);
}

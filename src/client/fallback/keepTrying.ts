import { type BackoffOptions, fullJitterMs } from '../../base/backoff.ts';
import { type Clock, delay } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { isRetryable } from '../serviceErrors.ts';

/** How long to wait for what may pass. */
export interface Patience {
  /** All waits together. */
  readonly maxWaitMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called before each wait. */
  readonly onWait?: (error: RxscribeError, delayMs: number) => void;
}

/** Waits before the next try: of a service that is away, busy or in trouble, and of an account without credit. */
const WAITS: Readonly<Record<'service' | 'credit', BackoffOptions>> = {
  service: { baseMs: 1000, capMs: 60_000 },
  // Each try may be an upload, and people do not top up within seconds.
  credit: { baseMs: 4000, capMs: 300_000 },
};

/**
 * Tries until it succeeds, as long as what goes wrong may pass: a service that is not reached, is busy or restarts, and
 * credit that is used up. A service that asks to be left alone for a while is.
 *
 * @param attempt is given how often it was tried before
 * @throws the error of a fault that does not pass, or the last one when the patience is over; the signal's reason
 */
export async function keepTrying<T>(attempt: (round: number) => Promise<T>, patience: Patience): Promise<T> {
  const { maxWaitMs, clock, signal, onWait } = patience;
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

/** Milliseconds; undefined for what does not pass. */
function waitAfter(error: unknown, round: number): number | undefined {
  if (error instanceof RxscribeError && error.code === 'out-of-credit')
    return fullJitterMs(round, WAITS.credit);
  if (!isRetryable(error)) return undefined;
  return Math.max(fullJitterMs(round, WAITS.service), (error.retryAfterSeconds ?? 0) * 1000);
}

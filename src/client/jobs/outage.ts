import { type Clock, delay } from '../../base/clock.ts';
import { mayPass } from '../serviceErrors.ts';
import { pollDelayMs } from './pollDelay.ts';

export interface OutageOptions {
  readonly signal?: AbortSignal;
  /** How long faults that may pass are waited out. */
  readonly maxOutageMs: number;
  readonly clock: Clock;
}

/**
 * Tries until it succeeds, as long as what goes wrong may pass: a service that restarts, is not reached or is busy. A
 * service that asks to be left alone for a while is.
 *
 * @throws the error of a fault that does not pass, or the last one when the time is over; the signal's reason
 */
export async function throughOutage<T>(attempt: () => Promise<T>, options: OutageOptions): Promise<T> {
  const { signal, maxOutageMs, clock } = options;
  const startedAt = clock.now();
  for (let round = 0; ; round++) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (!mayPass(error)) throw error;
      const delayMs = Math.max(pollDelayMs(round), (error.retryAfterSeconds ?? 0) * 1000);
      if (clock.now() + delayMs - startedAt > maxOutageMs) throw error;
      await delay(delayMs, { clock, ...(signal && { signal }) });
    }
  }
}

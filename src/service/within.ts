import { type Clock, delay } from '../base/clock.ts';

/** Waits until a promise has resolved or rejected, at most so long. */
export async function within(timeoutMs: number, promise: Promise<unknown>, clock: Clock): Promise<void> {
  const abort = new AbortController();
  const timeout = delay(timeoutMs, { clock, signal: abort.signal }).catch(() => {});
  await Promise.race([promise.catch(() => {}), timeout]);
  abort.abort();
}

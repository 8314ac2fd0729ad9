import type { Clock } from '../base/clock.ts';
import { patiently } from './patience.ts';

/** Waits until a promise has resolved or rejected, at most so long. */
export async function within(timeoutMs: number, promise: Promise<unknown>, clock: Clock): Promise<void> {
  await patiently(promise, { timeoutMs, clock }).catch(() => {});
}

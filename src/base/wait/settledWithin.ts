import type { Clock } from '../clock.ts';
import { withTimeout } from './withTimeout.ts';

/** Resolves when the promise has settled, or when the time is over. Never rejects. */
export async function settledWithin(
  timeoutMs: number,
  promise: Promise<unknown>,
  clock: Clock,
): Promise<void> {
  await withTimeout(promise, { timeoutMs, clock }).catch(() => {});
}

import type { Clock } from '../../base/clock.ts';
import { VirtualClock } from './virtualClock.ts';

/** Does something while a virtual clock stands still; any other one goes on. */
export async function heldDuring<T>(clock: Clock, action: () => Promise<T>): Promise<T> {
  const release = clock instanceof VirtualClock ? clock.hold() : undefined;
  try {
    return await action();
  } finally {
    release?.();
  }
}

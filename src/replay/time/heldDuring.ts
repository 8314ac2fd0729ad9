import type { StillClock } from './stillClock.ts';

/** Does something while a clock stands still that can; any other one goes on. */
export async function heldDuring<T>(clock: StillClock, action: () => Promise<T>): Promise<T> {
  const release = clock.hold?.();
  try {
    return await action();
  } finally {
    release?.();
  }
}

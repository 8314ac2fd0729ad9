import { setTimeout } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;
const INTERVAL_MS = 10;

/** Waits until a check no longer throws, and resolves with its value: for what another process does, however busy the machine is. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const endsAt = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > endsAt) throw error;
      await setTimeout(INTERVAL_MS);
    }
  }
}

import { vi } from 'vitest';

/** Waits until a check no longer throws: for what another process does, however busy the machine is. */
export function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 60_000, interval: 10 });
}

import type { Clock } from '../../base/clock.ts';

/** Ends the wait of one who waits, now or when the wait begins. */
export interface Alarm {
  ring(): void;
  /** From now on it has not rung. */
  reset(): void;
  /** Resolves when it has rung since the reset, at the latest after a while. */
  rung(withinMs: number): Promise<void>;
}

export function createAlarm(clock: Clock): Alarm {
  let hasRung = false;
  let endWait = () => {};
  return {
    ring() {
      hasRung = true;
      endWait();
    },
    reset() {
      hasRung = false;
    },
    async rung(withinMs) {
      if (hasRung) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      endWait = resolve;
      const cancel = clock.schedule(withinMs, resolve);
      await promise;
      cancel();
    },
  };
}

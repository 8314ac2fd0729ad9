import type { Clock } from '../../base/clock.ts';

/** Ends the wait of one waiter early: the wait in progress, or the next one. */
export interface WakeSignal {
  wake(): void;
  /** Clears an earlier `wake`. */
  reset(): void;
  /** Resolves when `wake` is called, or was called since the last `reset`, or after the timeout. */
  woken(timeoutMs: number): Promise<void>;
}

export function createWakeSignal(clock: Clock): WakeSignal {
  let isAwake = false;
  let endWait = () => {};
  return {
    wake() {
      isAwake = true;
      endWait();
    },
    reset() {
      isAwake = false;
    },
    async woken(timeoutMs) {
      if (isAwake) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      endWait = resolve;
      const cancel = clock.schedule(timeoutMs, resolve);
      await promise;
      cancel();
    },
  };
}

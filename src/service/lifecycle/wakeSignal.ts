import type { Clock } from '../../base/clock.ts';

/** Ends the wait of one waiter early: the wait in progress, or the next one. */
export type WakeSignal = ReturnType<typeof createWakeSignal>;

export function createWakeSignal(clock: Clock) {
  let isAwake = false;
  let endWait = () => {};
  return {
    wake() {
      isAwake = true;
      endWait();
    },
    /** Clears an earlier `wake`. */
    reset() {
      isAwake = false;
    },
    /** Resolves when `wake` is called, or was called since the last `reset`, or after the timeout. */
    async woken(timeoutMs: number) {
      if (isAwake) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      endWait = resolve;
      const cancel = clock.schedule(timeoutMs, resolve);
      await promise;
      cancel();
    },
  };
}

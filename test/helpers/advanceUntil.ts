import type { VirtualClock } from '../../src/replay/time/virtualClock.ts';

/** Moves a clock on step by step until a promise has settled: real sockets take their turns in between. */
export async function advanceUntil<T>(clock: VirtualClock, stepMs: number, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  while (!isSettled) await clock.advanceAsync(stepMs);
  return promise;
}

import type { Clock } from '../clock.ts';

/** A delayed call that can be restarted and stopped. */
export interface Timer {
  readonly isRunning: boolean;
  /** Schedules a call, and cancels the pending one. */
  start(delayMs: number, callback: () => void): void;
  /** Idempotent. */
  stop(): void;
}

export function createTimer(clock: Clock): Timer {
  let cancel: (() => void) | undefined;
  const stop = () => {
    cancel?.();
    cancel = undefined;
  };
  return {
    get isRunning() {
      return cancel !== undefined;
    },
    start(delayMs, callback) {
      stop();
      cancel = clock.schedule(delayMs, () => {
        cancel = undefined;
        callback();
      });
    },
    stop,
  };
}

import type { Clock } from './clock.ts';

/** One call back, some time from now. */
export interface Timer {
  readonly isRunning: boolean;
  /** Starts anew when it runs. */
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

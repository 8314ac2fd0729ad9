import type { Clock } from '../../base/clock.ts';

/** Tells once that nothing has happened for a while. */
export interface IdleTimer {
  /** Something happened. */
  restart(): void;
  /** Nothing is expected to happen until `restart`. */
  pause(): void;
  stop(): void;
}

/** An idle timer that is running. */
export function startIdleTimer(clock: Clock, timeoutMs: number, onIdle: () => void): IdleTimer {
  let cancel = () => {};
  let isStopped = false;
  const pause = () => cancel();
  const restart = () => {
    cancel();
    if (!isStopped) cancel = clock.schedule(timeoutMs, onIdle);
  };
  restart();
  return {
    restart,
    pause,
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

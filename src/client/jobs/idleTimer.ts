import type { Clock } from '../../base/clock.ts';
import { createTimer } from '../../base/wait/timer.ts';

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
  const timer = createTimer(clock);
  let isStopped = false;
  const restart = () => {
    if (!isStopped) timer.start(timeoutMs, onIdle);
  };
  restart();
  return {
    restart,
    pause: timer.stop,
    stop() {
      isStopped = true;
      timer.stop();
    },
  };
}

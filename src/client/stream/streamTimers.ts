import type { Clock } from '../../base/clock.ts';
import type { StreamEffect, StreamEvent } from './machine/model.ts';

/** The timers of a stream and of its links. */
export interface StreamTimers {
  /** Starts, restarts or stops a timer. */
  set(effect: Extract<StreamEffect, { readonly type: 'timer' }>): void;
  /** Stops all timers of a link; without one, all. */
  stop(link?: number): void;
}

export function createStreamTimers(clock: Clock, put: (event: StreamEvent) => void): StreamTimers {
  const running = new Map<string, () => void>();
  const stopOne = (key: string) => {
    running.get(key)?.();
    running.delete(key);
  };
  return {
    set({ timer, link, delayMs }) {
      const key = `${link ?? ''}:${timer}`;
      stopOne(key);
      if (delayMs === undefined) return;
      const type = link === undefined ? 'timeout' : 'expired';
      const event = { type, timer, link } as StreamEvent;
      const cancel = clock.schedule(delayMs, () => {
        running.delete(key);
        put(event);
      });
      running.set(key, cancel);
    },
    stop(link) {
      for (const key of [...running.keys()]) {
        if (link === undefined || key.startsWith(`${link}:`)) stopOne(key);
      }
    },
  };
}

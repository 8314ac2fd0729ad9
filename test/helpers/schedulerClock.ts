import type { SchedulerLike } from 'rxjs';
import type { Clock } from '../../src/base/clock.ts';

/** The time of an RxJS scheduler, so that marbles drive what takes a clock. */
export function schedulerClock(scheduler: SchedulerLike): Clock {
  return {
    now: () => scheduler.now(),
    wallTime: () => scheduler.now(),
    schedule(delayMs, callback) {
      const action = scheduler.schedule(callback, delayMs);
      return () => action.unsubscribe();
    },
  };
}

import { asyncScheduler } from 'rxjs';
import type { Clock } from '../../src/base/clock.ts';

/** Inside `TestScheduler.run`, a clock of its virtual time. */
export const schedulerClock: Clock = {
  now: () => asyncScheduler.now(),
  wallTime: () => asyncScheduler.now(),
  schedule(delayMs, callback) {
    const action = asyncScheduler.schedule(callback, delayMs);
    return () => action.unsubscribe();
  },
};

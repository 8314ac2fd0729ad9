import { type Clock, systemClock } from '../../../../src/base/clock.ts';

/** A clock that goes so many times faster than the machine's. */
export function scaledClock(scale: number): Clock {
  return {
    now: () => systemClock.now() * scale,
    wallTime: () => systemClock.wallTime(),
    schedule: (delayMs, callback) => systemClock.schedule(delayMs / scale, callback),
  };
}

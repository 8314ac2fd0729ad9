import { type Clock, systemClock } from '../../src/base/clock.ts';

/** Shortest delay in milliseconds that stays unchanged, as that of a timeout. */
const TIMEOUT_MS = 60_000;
const TIMES_AS_FAST = 100;

/** The system clock with delays of less than a minute divided by a hundred; longer ones are unchanged. */
export const hurriedClock: Clock = {
  ...systemClock,
  schedule: (delayMs, callback) =>
    systemClock.schedule(delayMs < TIMEOUT_MS ? delayMs / TIMES_AS_FAST : delayMs, callback),
};

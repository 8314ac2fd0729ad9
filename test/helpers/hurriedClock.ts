import { type Clock, systemClock } from '../../src/base/clock.ts';

/** Delays from here on are time-outs of requests and the like. */
const TIMEOUT_MS = 60_000;
const TIMES_AS_FAST = 100;

/** The machine's time, but waits of less than a minute are a hundred times as short: time-outs are as they are. */
export const hurriedClock: Clock = {
  ...systemClock,
  schedule: (delayMs, callback) =>
    systemClock.schedule(delayMs < TIMEOUT_MS ? delayMs / TIMES_AS_FAST : delayMs, callback),
};

/** One reading of a server's clock, in milliseconds since 1970-01-01 UTC. */
export interface ClockReading {
  /** Local time before the request. */
  readonly sentAtMs: number;
  /** Local time after the answer. */
  readonly answeredAtMs: number;
  /** Time of the server while it answered. */
  readonly serverMs: number;
}

/** Readings of a server's clock; the latest last. */
export type ServerClock = readonly ClockReading[];

/** Readings that are compared: the best of them is the one with the shortest round trip. */
const MAX_READINGS = 16;

/** Maximum number of milliseconds by which the reading of a steady clock may contradict another one. */
const TOLERANCE_MS = 250;

/**
 * Adds a reading. Pure. A reading that contradicts the best one means that a clock was set, so the earlier ones are dropped.
 */
export function withReading(clock: ServerClock, reading: ClockReading): ServerClock {
  const best = bestOf(clock);
  const limit = best ? (roundTrip(best) + roundTrip(reading)) / 2 + TOLERANCE_MS : 0;
  const contradicts = best !== undefined && Math.abs(skewOf(best) - skewOf(reading)) > limit;
  return contradicts ? [reading] : [...clock, reading].slice(-MAX_READINGS);
}

/**
 * Returns the milliseconds by which the server's clock is ahead of the local one; 0 without a reading. The error is at most half
 * of the shortest round trip.
 */
export function skewMs(clock: ServerClock): number {
  const best = bestOf(clock);
  return best ? skewOf(best) : 0;
}

function bestOf(clock: ServerClock): ClockReading | undefined {
  return clock.toSorted((a, b) => roundTrip(a) - roundTrip(b))[0];
}

const roundTrip = ({ sentAtMs, answeredAtMs }: ClockReading) => Math.max(0, answeredAtMs - sentAtMs);
const skewOf = ({ sentAtMs, answeredAtMs, serverMs }: ClockReading) =>
  serverMs - (sentAtMs + answeredAtMs) / 2;

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ServerClock, skewMs, withReading } from '../../../src/captions/outputs/serverClock.ts';

/** A reading of a clock that is ahead by `skew`, with the way there and the way back in milliseconds. */
const reading = (atMs: number, skew: number, there: number, back: number) => ({
  sentAtMs: atMs,
  answeredAtMs: atMs + there + back,
  serverMs: atMs + there + skew,
});

describe("the difference of a server's clock", () => {
  it('is wrong by at most half of the shortest round trip', () => {
    const ways = fc.array(fc.tuple(fc.nat(5000), fc.nat(5000)), { minLength: 1, maxLength: 16 });
    fc.assert(
      fc.property(fc.integer({ min: -90_000, max: 90_000 }), ways, (skew, trips) => {
        const readings = trips.map(([there, back], index) => reading(index * 20_000, skew, there, back));
        const clock = readings.reduce(withReading, [] as ServerClock);
        const shortest = Math.min(...trips.map(([there, back]) => there + back));
        expect(Math.abs(skewMs(clock) - skew)).toBeLessThanOrEqual(shortest / 2);
      }),
    );
  });

  it('follows a clock that was set', () => {
    const before = [reading(0, 500, 10, 10), reading(1000, 500, 10, 10)].reduce(
      withReading,
      [] as ServerClock,
    );
    expect(skewMs(withReading(before, reading(2000, 3_600_000, 400, 400)))).toBe(3_600_000);
  });

  it('keeps a bounded number of readings', () => {
    let clock: ServerClock = [];
    for (let index = 0; index < 100; index++) clock = withReading(clock, reading(index, 0, 5, 5));
    expect(clock.length).toBeLessThanOrEqual(16);
  });
});

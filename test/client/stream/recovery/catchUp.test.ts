import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  availableFrames,
  bucketDelayMs,
  bucketLimits,
  CATCH_UP_DEFAULTS,
  fullBucket,
  withoutFrames,
} from '../../../../src/client/stream/recovery/catchUp.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';

const SAMPLE_RATE = 16_000;

interface BucketOptions {
  readonly sampleRate: number;
  readonly speed: number;
  readonly burstSeconds: number;
}

/** A bucket from which frames are taken, a full one at first. */
function create(options: Partial<BucketOptions> = {}) {
  const { sampleRate, ...rest } = { sampleRate: SAMPLE_RATE, ...CATCH_UP_DEFAULTS, ...options };
  const clock = new VirtualClock();
  const limits = bucketLimits(rest, sampleRate);
  let bucket = fullBucket(limits, 0);
  return {
    clock,
    take(frames: number) {
      const taken = Math.min(frames, availableFrames(bucket, limits, clock.now()));
      bucket = withoutFrames(bucket, taken, limits, clock.now());
      return taken;
    },
    delayMs: (frames: number) => bucketDelayMs(bucket, frames, limits, clock.now()),
  };
}

describe('a backlog', () => {
  test('5 s go at once, then 2 s a second', () => {
    const { clock, take } = create();
    expect(take(10_000_000)).toBe(5 * SAMPLE_RATE);
    expect(take(1)).toBe(0);
    clock.advance(1000);
    expect(take(10_000_000)).toBe(2 * SAMPLE_RATE);
    expect(take(1)).toBe(0);
  });

  test('what is not taken is not saved beyond one burst', () => {
    const { clock, take } = create();
    take(1000);
    clock.advance(3_600_000);
    expect(take(10_000_000)).toBe(5 * SAMPLE_RATE);
    clock.advance(10);
    expect(take(10_000_000)).toBe(320);
  });

  test('more than a burst is waited for as a burst', () => {
    const { clock, take, delayMs } = create({ burstSeconds: 0.1 });
    take(1600);
    clock.advance(delayMs(1_000_000));
    expect(clock.now()).toBe(51);
    expect(take(1_000_000)).toBe(1600);
  });
});

test('a source that goes on at real time is caught up with after an hour of lag in an hour less the burst', () => {
  const { clock, take } = create();
  let waiting = 3600 * SAMPLE_RATE;
  for (waiting -= take(waiting); waiting > 0; waiting -= take(waiting)) {
    clock.advance(100);
    waiting += SAMPLE_RATE / 10;
  }
  expect(clock.now()).toBe(3_595_000);
});

/** Odd rates and speeds, so that a millisecond is no whole number of frames. */
const someOptions = fc.record({
  sampleRate: fc.integer({ min: 8000, max: 48_000 }),
  speed: fc.double({ min: 1.01, max: 20, noNaN: true }),
  burstSeconds: fc.double({ min: 0.0001, max: 10, noNaN: true }),
});

test('in any time no more goes than a burst and what the speed gives, all of it in whole frames', () => {
  const someSteps = fc.array(
    fc.record({
      frames: fc.nat(200_000),
      waitMs: fc.oneof(fc.nat(2000), fc.double({ min: 0, max: 30, noNaN: true })),
    }),
    {
      minLength: 1,
      maxLength: 40,
    },
  );
  fc.assert(
    fc.property(someOptions, someSteps, (options, steps) => {
      const { clock, take } = create(options);
      const { sampleRate, speed, burstSeconds } = options;
      const sent = steps.map(({ frames, waitMs }) => {
        clock.advance(waitMs);
        return { atMs: clock.now(), frames: take(frames) };
      });
      for (const [i, first] of sent.entries()) {
        expect(Number.isInteger(first.frames) && first.frames >= 0).toBe(true);
        let total = 0;
        for (const { atMs, frames } of sent.slice(i)) {
          total += frames;
          const most =
            Math.max(1, burstSeconds * sampleRate) + (speed * sampleRate * (atMs - first.atMs)) / 1000;
          // A frame for the fraction that was there before the first.
          expect(total).toBeLessThanOrEqual(most + 1);
        }
      }
    }),
  );
});

test('after the delay so many may go', () => {
  const someSizes = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(someOptions, someSizes, (options, sizes) => {
      const { clock, take, delayMs } = create(options);
      const burst = take(Number.MAX_SAFE_INTEGER);
      for (const size of sizes) {
        const wanted = Math.min(size, burst);
        clock.advance(delayMs(wanted));
        expect(delayMs(wanted)).toBe(0);
        expect(take(wanted)).toBe(wanted);
      }
    }),
  );
});

test('over hours nothing is lost to rounding', () => {
  const { clock, take, delayMs } = create({ sampleRate: 44_100, speed: 1.7 });
  let sent = 0;
  while (clock.now() < 3 * 3_600_000) {
    sent += take(1_000_000);
    clock.advance(0.5 + delayMs(4410));
  }
  sent += take(1_000_000);
  expect(sent).toBe(5 * 44_100 + Math.floor((clock.now() * 1.7 * 44_100) / 1000));
});

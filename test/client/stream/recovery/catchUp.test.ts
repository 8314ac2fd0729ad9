import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidArgumentError } from '../../../../src/base/errors.ts';
import { type CatchUpOptions, createCatchUp } from '../../../../src/client/stream/recovery/catchUp.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';

const SAMPLE_RATE = 16_000;

function create(options: Partial<CatchUpOptions> = {}) {
  const clock = new VirtualClock();
  return { clock, catchUp: createCatchUp({ sampleRate: SAMPLE_RATE, clock, ...options }) };
}

describe('without a backlog', () => {
  test('everything may go at once', () => {
    const { catchUp } = create();
    expect(catchUp.allow(10_000_000)).toBe(10_000_000);
    expect(catchUp.delayMs(10_000_000)).toBe(0);
  });

  test('everything may be sent at once again after the backlog', () => {
    const { catchUp } = create();
    catchUp.start();
    catchUp.allow(10_000_000);
    catchUp.stop();
    expect(catchUp.delayMs(1600)).toBe(0);
    expect(catchUp.allow(10_000_000)).toBe(10_000_000);
  });
});

describe('with a backlog', () => {
  test('5 s go at once, then 2 s a second', () => {
    const { clock, catchUp } = create();
    catchUp.start();
    expect(catchUp.allow(10_000_000)).toBe(5 * SAMPLE_RATE);
    expect(catchUp.allow(1)).toBe(0);
    clock.advance(1000);
    expect(catchUp.allow(10_000_000)).toBe(2 * SAMPLE_RATE);
    expect(catchUp.allow(1)).toBe(0);
  });

  test('what is not taken is not saved beyond one burst', () => {
    const { clock, catchUp } = create();
    catchUp.start();
    catchUp.allow(1000);
    clock.advance(3_600_000);
    expect(catchUp.allow(10_000_000)).toBe(5 * SAMPLE_RATE);
    clock.advance(10);
    expect(catchUp.allow(10_000_000)).toBe(320);
  });

  test('a second break begins with a whole burst again', () => {
    const { catchUp } = create();
    catchUp.start();
    catchUp.allow(10_000_000);
    catchUp.start();
    expect(catchUp.allow(10_000_000)).toBe(5 * SAMPLE_RATE);
  });

  test('more than a burst is waited for as a burst', () => {
    const { clock, catchUp } = create({ burstSeconds: 0.1 });
    catchUp.start();
    catchUp.allow(1600);
    clock.advance(catchUp.delayMs(1_000_000));
    expect(clock.now()).toBe(51);
    expect(catchUp.allow(1_000_000)).toBe(1600);
  });

  test('an infinite speed is no bound', () => {
    const { catchUp } = create({ speed: Number.POSITIVE_INFINITY });
    catchUp.start();
    expect(catchUp.allow(10_000_000)).toBe(10_000_000);
    expect(catchUp.delayMs(10_000_000)).toBe(0);
  });
});

test('a source that goes on at real time is caught up with after an hour of lag in an hour less the burst', () => {
  const { clock, catchUp } = create();
  let waiting = 3600 * SAMPLE_RATE;
  catchUp.start();
  for (waiting -= catchUp.allow(waiting); waiting > 0; waiting -= catchUp.allow(waiting)) {
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
      const { clock, catchUp } = create(options);
      const { sampleRate, speed, burstSeconds } = options;
      catchUp.start();
      const sent = steps.map(({ frames, waitMs }) => {
        clock.advance(waitMs);
        return { atMs: clock.now(), frames: catchUp.allow(frames) };
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
      const { clock, catchUp } = create(options);
      catchUp.start();
      const burst = catchUp.allow(Number.MAX_SAFE_INTEGER);
      for (const size of sizes) {
        const wanted = Math.min(size, burst);
        clock.advance(catchUp.delayMs(wanted));
        expect(catchUp.delayMs(wanted)).toBe(0);
        expect(catchUp.allow(wanted)).toBe(wanted);
      }
    }),
  );
});

test('over hours nothing is lost to rounding', () => {
  const { clock, catchUp } = create({ sampleRate: 44_100, speed: 1.7 });
  catchUp.start();
  let sent = 0;
  while (clock.now() < 3 * 3_600_000) {
    sent += catchUp.allow(1_000_000);
    clock.advance(0.5 + catchUp.delayMs(4410));
  }
  sent += catchUp.allow(1_000_000);
  expect(sent).toBe(5 * 44_100 + Math.floor((clock.now() * 1.7 * 44_100) / 1000));
});

test.each([
  ['a speed of 1', { speed: 1 }],
  ['a speed that is no number', { speed: Number.NaN }],
  ['no burst', { burstSeconds: 0 }],
])('%s is refused', (_, options) => {
  expect(() => create(options)).toThrow(InvalidArgumentError);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fullJitterMs } from '../../src/base/backoff.ts';

const LONGEST = { baseMs: 250, capMs: 30_000, random: () => 1 };

test('the bound of a wait doubles with each try until it is the cap', () => {
  const bounds = [0, 1, 2, 6, 7, 2000].map(attempt => fullJitterMs(attempt, LONGEST));
  expect(bounds).toEqual([250, 500, 1000, 16_000, 30_000, 30_000]);
});

test('a wait is a part of its bound that chance gives, none included', () => {
  expect(fullJitterMs(3, { ...LONGEST, random: () => 0 })).toBe(0);
  expect(fullJitterMs(3, { ...LONGEST, random: () => 0.25 })).toBe(500);
});

test('without a source of chance waits differ and stay within their bound', () => {
  const anyWait = fc.record({
    attempt: fc.nat(5000),
    baseMs: fc.integer({ min: 1, max: 10_000 }),
    capMs: fc.integer({ min: 1, max: 3_600_000 }),
  });
  fc.assert(
    fc.property(anyWait, ({ attempt, baseMs, capMs }) => {
      const waitMs = fullJitterMs(attempt, { baseMs, capMs });
      return Number.isInteger(waitMs) && waitMs >= 0 && waitMs <= capMs;
    }),
  );
  const waits = Array.from({ length: 20 }, () => fullJitterMs(2, { baseMs: 250, capMs: 30_000 }));
  expect(new Set(waits).size).toBeGreaterThan(1);
});

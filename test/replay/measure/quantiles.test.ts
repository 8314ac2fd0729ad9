import fc from 'fast-check';
import { expect, test } from 'vitest';
import { QuantileCounter, quantilesOf } from '../../../src/replay/measure/quantiles.ts';

test('counted samples have the quantiles of the samples rounded to milliseconds', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -5, max: 9, noNaN: true })), samples => {
      const counter = new QuantileCounter();
      for (const sample of samples) counter.add(sample);
      const rounded = samples.map(sample => Math.round(sample * 1000) / 1000 + 0);
      expect(counter.quantiles()).toEqual(quantilesOf(rounded));
    }),
  );
});

test('long samples are counted to one part in a thousand', () => {
  const counter = new QuantileCounter();
  for (let index = 0; index < 10_000; index++) counter.add(100 + index);
  const found = counter.quantiles()!;
  const exact = quantilesOf(Array.from({ length: 10_000 }, (_, index) => 100 + index))!;
  for (const name of ['p50', 'p95', 'p99', 'max'] as const) {
    expect(Math.abs(found[name] / exact[name] - 1)).toBeLessThan(0.001);
  }
  expect(found.count).toBe(10_000);
});

test('quantiles are samples of the nearest rank, and none of no samples', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(quantilesOf(hundred)).toEqual({ p50: 50, p95: 95, p99: 99, max: 100, count: 100 });
  expect(quantilesOf([3])).toEqual({ p50: 3, p95: 3, p99: 3, max: 3, count: 1 });
  expect(quantilesOf([-1, 10, 2])).toMatchObject({ p50: 2, p95: 10 });
  expect(quantilesOf([])).toBeNull();
});

import { expect, test } from 'vitest';
import { quantilesOf } from '../../../src/replay/measure/delays.ts';

test('quantiles are samples of the nearest rank, and none of no samples', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(quantilesOf(hundred)).toEqual({ p50: 50, p95: 95, p99: 99, max: 100, count: 100 });
  expect(quantilesOf([3])).toEqual({ p50: 3, p95: 3, p99: 3, max: 3, count: 1 });
  expect(quantilesOf([-1, 10, 2])).toMatchObject({ p50: 2, p95: 10 });
  expect(quantilesOf([])).toBeNull();
});

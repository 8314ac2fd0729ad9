import { expect, test } from 'vitest';
import { clock } from '../../../src/replay/report/figures.ts';

test.each([
  [0, '0:00.0'],
  [2.99, '0:03.0'],
  [8.97, '0:09.0'],
  [59.94, '0:59.9'],
  [59.96, '1:00'],
  [61.6, '1:02'],
  [3599.7, '1:00:00'],
  [3723, '1:02:03'],
])('%s seconds are %s', (seconds, text) => {
  expect(clock(seconds)).toBe(text);
});

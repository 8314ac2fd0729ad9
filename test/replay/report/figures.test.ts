import { expect, test } from 'vitest';
import { clock, titlesOf } from '../../../src/replay/report/figures.ts';
import { fileOf } from './exampleReport.ts';

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

test('only repeated files have the number of their run', () => {
  const files = [fileOf('a', []), fileOf('a', [], { repeat: 2 }), fileOf('b', [])];
  expect(files.map(titlesOf(files))).toEqual(['a (run 1)', 'a (run 2)', 'b']);
});

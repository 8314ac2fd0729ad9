import { expect, test } from 'vitest';
import { MEASURE_PATHS, measureAt } from '../../../../src/replay/measure/measurePaths.ts';
import { limitNumber, parseThreshold } from '../../../../src/replay/suite/read/limits.ts';
import { measures } from '../reports.ts';

test.each([
  ['0.3', 0.3],
  ['30%', 0.3],
  ['12.5 %', 0.125],
  ['2', 2],
  ['-1', undefined],
  ['x', undefined],
  ['', undefined],
  ['0.3.1', undefined],
])('a limit of %j is %j', (text, value) => {
  expect(limitNumber(text)).toBe(value);
});

test('a threshold is a maximum for errors, and a minimum for coverage and recall', () => {
  expect(parseThreshold('wer=30%')).toEqual({ wer: { max: 0.3 } });
  expect(parseThreshold('delay.final.p95=1.5')).toEqual({ 'delay.final.p95': { max: 1.5 } });
  expect(parseThreshold('coverage=99%')).toEqual({ coverage: { min: 0.99 } });
  expect(parseThreshold('keywords.recall=1')).toEqual({ 'keywords.recall': { min: 1 } });
});

test('an unknown measure is refused with a suggestion and a list of all', () => {
  expect(() => parseThreshold('delay.finals.p95=1')).toThrow(
    /Did you mean 'delay\.final\.p95'\? Write PATH=LIMIT with one of these measures: wer, cer/,
  );
  expect(() => parseThreshold('wer')).toThrow(/The limit of 'wer' must be a number or a percentage/);
  expect(() => parseThreshold('wer=much')).toThrow(/not 'much'\./);
  expect(() => parseThreshold('__proto__=1')).toThrow(/Write PATH=LIMIT/);
});

test('a rate above 1 has to be a percentage', () => {
  for (const path of ['wer', 'cer', 'coverage', 'keywords.recall', 'upwr']) {
    expect(() => parseThreshold(`${path}=30`)).toThrow(
      `The limit of '${path}' must be at most 1, or a percentage such as 30%`,
    );
  }
  expect(parseThreshold('wer=1')).toEqual({ wer: { max: 1 } });
  expect(parseThreshold('wer=120%')).toEqual({ wer: { max: 1.2 } });
  expect(parseThreshold('reconnects=30')).toEqual({ reconnects: { max: 30 } });
});

test('every measure with a limit is in a report', () => {
  const all = measures({ delays: 0.5, recall: 0.5, wer: 0.5 });
  expect(MEASURE_PATHS.filter(({ path }) => measureAt(all, path) === null)).toEqual([]);
});

test('a missing measure is null, not an error', () => {
  const without = measures({});
  expect(['wer', 'delay.final.p95', 'keywords.recall'].map(path => measureAt(without, path))).toEqual([
    null,
    null,
    null,
  ]);
  expect(measureAt(without, 'coverage')).toBe(1);
});

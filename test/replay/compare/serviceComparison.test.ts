import { expect, test } from 'vitest';
import { differenceOf, isBeyondChance } from '../../../src/replay/compare/serviceComparison.ts';
import { fileReport, type MeasuredFile } from '../../../src/replay/measure/fileReport.ts';
import { ruleSetFor } from '../../../src/replay/rules/ruleSets.ts';
import { transcriptOfText } from '../../../src/replay/vitest/matcherInput.ts';

const SEED = 1;

/** Returns the result of a file in which "the cat sat" occurs twice. */
function heard(text: string, name = 'one', failure?: unknown): MeasuredFile {
  const run = {
    ...{ events: [], statuses: [], audio: [], transcript: transcriptOfText(text) },
    ...{ sampleRate: 16_000, seconds: 2, startTs: 0, durationMs: 2000, speed: 'max' as const },
    ...(failure !== undefined && { failure }),
  };
  return fileReport(run, {
    ...{ name, repeat: 1, language: 'en', service: 'service', rules: ruleSetFor('en') },
    ...{ alignment: 'levenshtein', keywords: [], profile: 'netflix', mismatches: [], seed: SEED },
    reference: { kind: 'text', segments: [{ text: 'the cat sat' }, { text: 'the cat sat' }] },
  });
}

const RIGHT = 'the cat sat the cat sat';
const WRONG = 'the hat sat the hat sat';
const MIXED = 'the hat sat the cat sat';

/** Returns a recording of each. */
const recordings = (...texts: readonly string[]) => texts.map((text, index) => heard(text, `file ${index}`));
const six = (text: string) => recordings(...Array(6).fill(text));

const difference = (before: readonly MeasuredFile[], after: readonly MeasuredFile[]) =>
  differenceOf(before, after, SEED);

test('a difference in all files is significant, in either direction', () => {
  const worse = difference(six(RIGHT), six(WRONG));
  expect(worse?.low).toBeCloseTo(1 / 3);
  expect(isBeyondChance(worse)).toBe(true);
  const better = difference(six(WRONG), six(RIGHT));
  expect(better?.high).toBeCloseTo(-1 / 3);
  expect(isBeyondChance(better)).toBe(true);
});

test('a difference in some files, or none, may be chance', () => {
  const mixed = difference(six(RIGHT), recordings(MIXED, ...Array(5).fill(RIGHT)));
  expect(mixed?.low).toBeLessThanOrEqual(0);
  expect(isBeyondChance(mixed)).toBe(false);
  expect(isBeyondChance(difference(six(MIXED), six(MIXED)))).toBe(false);
});

test('repeating one recording does not make a difference significant', () => {
  const texts = [MIXED, ...Array(5).fill(RIGHT)];
  const once = difference(six(RIGHT), recordings(...texts));
  const often = (texts: readonly string[]) => Array.from({ length: 20 }, () => recordings(...texts)).flat();
  const again = difference(often(Array(6).fill(RIGHT)), often(texts));
  expect(again).toEqual(once);
  expect(isBeyondChance(again)).toBe(false);
});

test('repeats count by their mean', () => {
  const half = difference([...six(RIGHT), ...six(RIGHT)], [...six(WRONG), ...six(RIGHT)]);
  expect(half?.low).toBeCloseTo(1 / 6);
});

test('files with a failure are not compared', () => {
  const broken = heard('', 'lost', new Error('no connection'));
  expect(difference([heard(RIGHT, 'lost'), ...six(WRONG)], [broken, ...six(WRONG)])).toEqual({
    low: 0,
    high: 0,
  });
  expect(difference([heard(RIGHT)], [broken])).toBeNull();
});

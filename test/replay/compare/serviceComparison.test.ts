import { expect, test } from 'vitest';
import { compareServices, isBeyondChance } from '../../../src/replay/compare/serviceComparison.ts';
import type { ComparedService } from '../../../src/replay/compare/streamRamp.ts';
import { fileReport, type MeasuredFile } from '../../../src/replay/measure/fileReport.ts';
import { ruleSetFor } from '../../../src/replay/rules/ruleSets.ts';
import { transcriptOfText } from '../../../src/replay/vitest/matcherInput.ts';

const SEED = 1;

const service = (name: string): ComparedService => ({ name, url: name, token: 'token', shownAs: name });

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

const compared = (...services: readonly (readonly MeasuredFile[])[]) =>
  compareServices(
    services.map((files, index) => ({ service: service(`service ${index}`), files, held: null })),
    SEED,
  );

test('a difference in all files is significant, in either direction', () => {
  const [first, second] = compared(six(RIGHT), six(WRONG));
  expect(first?.difference).toBeNull();
  expect(second?.difference?.low).toBeCloseTo(1 / 3);
  expect(isBeyondChance(second!.difference)).toBe(true);
  const [, better] = compared(six(WRONG), six(RIGHT));
  expect(better?.difference?.high).toBeCloseTo(-1 / 3);
  expect(isBeyondChance(better!.difference)).toBe(true);
});

test('a difference in some files, or none, may be chance', () => {
  const [, mixed] = compared(six(RIGHT), recordings(MIXED, ...Array(5).fill(RIGHT)));
  expect(mixed?.difference?.low).toBeLessThanOrEqual(0);
  expect(isBeyondChance(mixed!.difference)).toBe(false);
  const [, same] = compared(six(MIXED), six(MIXED));
  expect(isBeyondChance(same!.difference)).toBe(false);
});

test('repeating one recording does not make a difference significant', () => {
  const texts = [MIXED, ...Array(5).fill(RIGHT)];
  const [, once] = compared(six(RIGHT), recordings(...texts));
  const often = (texts: readonly string[]) => Array.from({ length: 20 }, () => recordings(...texts)).flat();
  const [, again] = compared(often(Array(6).fill(RIGHT)), often(texts));
  expect(again?.difference).toEqual(once?.difference);
  expect(isBeyondChance(again!.difference)).toBe(false);
});

test('repeats count by their mean', () => {
  const [, half] = compared([...six(RIGHT), ...six(RIGHT)], [...six(WRONG), ...six(RIGHT)]);
  expect(half?.difference?.low).toBeCloseTo(1 / 6);
});

test('files with a failure are not compared, and count as failures', () => {
  const broken = heard('', 'lost', new Error('no connection'));
  const [first, second] = compared([heard(RIGHT, 'lost'), ...six(WRONG)], [broken, ...six(WRONG)]);
  expect(second).toMatchObject({ failures: 1, difference: { low: 0, high: 0 } });
  expect(second?.measures?.wer).toBeCloseTo(1 / 3);
  expect(first?.measures?.wer).toBeCloseTo(2 / 7);
  const [, nothing] = compared([heard(RIGHT)], [broken]);
  expect(nothing).toMatchObject({ failures: 1, measures: null, difference: null });
});

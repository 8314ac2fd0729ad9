import { expect, test } from 'vitest';
import { wordsEvidence } from '../../../src/engines/languages/wordsEvidence.ts';

const CALIBRATION = { even: 0.6, slope: 10, halfWords: 1 };

/** Evidence of words, each with its confidence. */
function evidenceOf(...words: readonly (readonly [string, number?])[]): number {
  return wordsEvidence(
    words.map(([value, confidence]) => ({ value, startFrame: 0, endFrame: 1, confidence })),
    CALIBRATION,
  );
}

test('confident words are evidence of English, others against it', () => {
  expect(evidenceOf(['so', 0.9])).toBeCloseTo(1.5, 10);
  expect(evidenceOf(['so', 0.6])).toBeCloseTo(0, 10);
  expect(evidenceOf(['so', 0.3])).toBeCloseTo(-1.5, 10);
});

test('more words are more evidence, up to twice as much as one', () => {
  expect(evidenceOf(['so', 0.9], ['it', 0.9], ['is', 0.9])).toBeCloseTo(2.25, 10);
});

test('a repeated word counts once, as at first', () => {
  expect(evidenceOf(['so', 0.3], ['so', 0.99], ['so', 0.99])).toBeCloseTo(evidenceOf(['so', 0.3]), 10);
});

test('no words, or words without confidences, are no evidence', () => {
  expect(evidenceOf()).toBe(0);
  expect(evidenceOf(['so'])).toBe(0);
});

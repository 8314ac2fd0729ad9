import { expect, test } from 'vitest';
import type { LanguageCalibration } from '../../src/engines/languages/rankLanguages.ts';
import { fitLanguages, type HeardClip } from './fitLanguages.ts';

const START: LanguageCalibration = {
  offsets: { de: 0, en: 0 },
  temperature: 1,
  halfSeconds: 1,
  wordRate: { none: 1, all: 2 },
  evidence: { en: { even: 0.6, slope: 10, halfWords: 1 } },
  wordless: 0.3,
};

/** A clip that is 10 + `lead` better explained by English words than by German ones. */
const clip = (language: string, lead: number): HeardClip => ({
  language,
  voicedSeconds: 5,
  heard: { de: { score: -60, words: 20 }, en: { score: -50 + lead, words: 20 } },
});

test('a fit finds the offset between languages, and how sure a difference makes', () => {
  const clips = [2, 2, 2, -2].flatMap(lead => [clip('en', lead), clip('de', -lead)]);
  const { offsets, temperature, halfSeconds, wordRate } = fitLanguages(clips, START);
  expect(offsets.de! - offsets.en!).toBeCloseTo(10, 0);
  // Three of four are right, so a difference of 2 makes one three times as likely: e to the power of 2 / temperature.
  expect(temperature).toBeCloseTo(2 / Math.log(3), 1);
  expect({ halfSeconds, wordRate }).toEqual({ halfSeconds: 1, wordRate: START.wordRate });
});

test('a fit finds the confidence of words that English has as often as the rest', () => {
  const said = (language: string, confidence: number): HeardClip => ({
    ...clip(language, 0),
    heard: { de: { score: -50, words: 20 }, en: { score: -50, words: 20 } },
    recognized: { en: [{ value: 'so', startFrame: 0, endFrame: 1, confidence }] },
  });
  const clips = [0.8, 0.9].flatMap(confidence => [said('en', confidence), said('de', confidence - 0.4)]);
  expect(fitLanguages(clips, START).evidence.en!.even).toBeCloseTo(0.65, 1);
});

import { expect, test } from 'vitest';
import { type LanguageCalibration, rankLanguages } from '../../../src/engines/languages/rankLanguages.ts';

const CALIBRATION: LanguageCalibration = {
  offsets: { de: 0, en: -5 },
  temperature: 2,
  halfSeconds: 1,
  wordRate: { none: 1, all: 3 },
  english: { even: 0.6, slope: 10, halfWords: 1 },
  wordless: 0.3,
};

/** So many words in 9 voiced seconds, of which 9 tenths can be told. */
function rank(de: { score: number; words: number }, en: { score: number; words: number }) {
  return rankLanguages({ heard: { de, en }, voicedSeconds: 9 }, CALIBRATION);
}

const sumOf = (ranked: ReturnType<typeof rank>) =>
  ranked.reduce((sum, { confidence }) => sum + confidence, 0);

test('the score, its offset and the temperature decide', () => {
  const [first, second] = rank({ score: -48, words: 30 }, { score: -41, words: 30 });
  expect([first!.language, second!.language]).toEqual(['en', 'de']);
  expect(first!.confidence / second!.confidence).toBeCloseTo(Math.E, 10);
});

test('what is too short to tell is taken off all confidences', () => {
  const heard = { de: { score: -48, words: 30 }, en: { score: -41, words: 30 } };
  expect(sumOf(rankLanguages({ heard, voicedSeconds: 9 }, CALIBRATION))).toBeCloseTo(0.9, 10);
  expect(sumOf(rankLanguages({ heard, voicedSeconds: 1 }, CALIBRATION))).toBeCloseTo(0.5, 10);
});

test('few words make confidences low, fewer none at all', () => {
  const words = (count: number) => rank({ score: -48, words: count }, { score: -41, words: count });
  expect(sumOf(words(27))).toBeCloseTo(0.9, 10);
  expect(sumOf(words(18))).toBeCloseTo(0.45, 10);
  expect(words(9)).toEqual([]);
  expect(words(0)).toEqual([]);
});

test('a language without a word is the least likely, however its score reads', () => {
  const ranked = rank({ score: -48, words: 60 }, { score: 0, words: 0 });
  expect(ranked).toEqual([
    { language: 'de', confidence: 0.9 },
    { language: 'en', confidence: 0 },
  ]);
});

test('what a recogniser is sure of makes English likelier, and what it is not sure of less likely', () => {
  const heard = { de: { score: -48, words: 30 }, en: { score: -43, words: 30 } };
  const oddsOf = (confidence: number) => {
    const english = ['we', 'were'].map(value => ({ value, startFrame: 0, endFrame: 1, confidence }));
    const ranked = rankLanguages({ heard, english, voicedSeconds: 9 }, CALIBRATION);
    const [de, en] = ['de', 'en'].map(code => ranked.find(({ language }) => language === code)!.confidence);
    return Math.log(en! / de!);
  };
  expect(oddsOf(0.6)).toBeCloseTo(0, 10);
  expect(oddsOf(0.9)).toBeCloseTo((10 * 0.3 * 2) / 3, 10);
  expect(oddsOf(0.3)).toBeCloseTo((-10 * 0.3 * 2) / 3, 10);
});

test('where a recogniser hears no word, confidences are low', () => {
  const heard = { de: { score: -48, words: 30 }, en: { score: -41, words: 30 } };
  expect(sumOf(rankLanguages({ heard, english: [], voicedSeconds: 9 }, CALIBRATION))).toBeCloseTo(0.27, 10);
});

test('where a recogniser hears words, somebody speaks', () => {
  const english = [{ value: 'so', startFrame: 0, endFrame: 1, confidence: 0.9 }];
  const heard = { de: { score: -48, words: 9 }, en: { score: -41, words: 9 } };
  expect(sumOf(rankLanguages({ heard, english, voicedSeconds: 9 }, CALIBRATION))).toBeCloseTo(0.9, 10);
  const none = { de: { score: 0, words: 0 }, en: { score: 0, words: 0 } };
  expect(rankLanguages({ heard: none, english, voicedSeconds: 9 }, CALIBRATION)).toEqual([]);
});

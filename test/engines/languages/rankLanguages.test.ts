import { expect, test } from 'vitest';
import {
  type LanguageCalibration,
  rankLanguages,
  ruledOut,
} from '../../../src/engines/languages/rankLanguages.ts';
import type { WordFit } from '../../../src/engines/languages/wordLoopDecoder.ts';

const CALIBRATION: LanguageCalibration = {
  offsets: { de: 0, en: -5 },
  temperature: 2,
  halfSeconds: 1,
  wordRate: { none: 1, all: 3 },
  evidence: { en: { even: 0.6, slope: 10, halfWords: 1 } },
  wordless: 0.3,
};

/** A number of words in 9 voiced seconds, for which confidences sum to 0.9. */
function rank(de: WordFit, en: WordFit) {
  return rankLanguages({ heard: { de, en }, voicedSeconds: 9 }, CALIBRATION);
}

const sumOf = (ranked: ReturnType<typeof rank>) =>
  ranked.reduce((sum, { confidence }) => sum + confidence, 0);

test('score, offset and temperature decide', () => {
  const [first, second] = rank({ score: -48, words: 30 }, { score: -41, words: 30 });
  expect([first!.language, second!.language]).toEqual(['en', 'de']);
  expect(first!.confidence / second!.confidence).toBeCloseTo(Math.E, 10);
});

test('short speech lowers all confidences', () => {
  const heard = { de: { score: -48, words: 30 }, en: { score: -41, words: 30 } };
  expect(sumOf(rankLanguages({ heard, voicedSeconds: 9 }, CALIBRATION))).toBeCloseTo(0.9, 10);
  expect(sumOf(rankLanguages({ heard, voicedSeconds: 1 }, CALIBRATION))).toBeCloseTo(0.5, 10);
});

test('few words lower the confidences, and fewer leave none', () => {
  const words = (count: number) => rank({ score: -48, words: count }, { score: -41, words: count });
  expect(sumOf(words(27))).toBeCloseTo(0.9, 10);
  expect(sumOf(words(18))).toBeCloseTo(0.45, 10);
  expect(words(9)).toEqual([]);
  expect(words(0)).toEqual([]);
});

test('a language without a word is the least likely, whatever its score', () => {
  const ranked = rank({ score: -48, words: 60 }, { score: 0, words: 0 });
  expect(ranked).toEqual([
    { language: 'de', confidence: 0.9 },
    { language: 'en', confidence: 0 },
  ]);
});

test('confident words make English likelier, and others less likely', () => {
  const heard = { de: { score: -48, words: 30 }, en: { score: -43, words: 30 } };
  const oddsOf = (confidence: number) => {
    const english = ['we', 'were'].map(value => ({ value, startFrame: 0, endFrame: 1, confidence }));
    const ranked = rankLanguages({ heard, recognized: { en: english }, voicedSeconds: 9 }, CALIBRATION);
    const [de, en] = ['de', 'en'].map(code => ranked.find(({ language }) => language === code)!.confidence);
    return Math.log(en! / de!);
  };
  expect(oddsOf(0.6)).toBeCloseTo(0, 10);
  expect(oddsOf(0.9)).toBeCloseTo((10 * 0.3 * 2) / 3, 10);
  expect(oddsOf(0.3)).toBeCloseTo((-10 * 0.3 * 2) / 3, 10);
});

test('the words of a recogniser count for its own language', () => {
  const words = (confidence: number) => [{ value: 'hola', startFrame: 0, endFrame: 1, confidence }];
  const heard = { en: { score: -40, words: 30 }, es: { score: -41, words: 30 } };
  const evidence = { ...CALIBRATION.evidence, es: { even: 0.7, slope: 20, halfWords: 0 } };
  const first = (confidence: number) =>
    rankLanguages(
      { heard, recognized: { en: [], es: words(confidence) }, voicedSeconds: 9 },
      { ...CALIBRATION, evidence },
    )[0]!.language;
  expect([first(0.95), first(0.5)]).toEqual(['es', 'en']);
});

test('without any word of the recogniser, confidences are low', () => {
  const heard = { de: { score: -48, words: 30 }, en: { score: -41, words: 30 } };
  expect(sumOf(rankLanguages({ heard, recognized: { en: [] }, voicedSeconds: 9 }, CALIBRATION))).toBeCloseTo(
    0.27,
    10,
  );
});

test('with words of the recogniser, somebody speaks', () => {
  const english = [{ value: 'so', startFrame: 0, endFrame: 1, confidence: 0.9 }];
  const heard = { de: { score: -48, words: 9 }, en: { score: -41, words: 9 } };
  expect(
    sumOf(rankLanguages({ heard, recognized: { en: english }, voicedSeconds: 9 }, CALIBRATION)),
  ).toBeCloseTo(0.9, 10);
  const none = { de: { score: 0, words: 0 }, en: { score: 0, words: 0 } };
  expect(rankLanguages({ heard: none, recognized: { en: english }, voicedSeconds: 9 }, CALIBRATION)).toEqual(
    [],
  );
});

test('words found in a share of the speech count for that share', () => {
  const de = { score: -48, words: 6, share: 0.5 };
  expect(sumOf(rank(de, { score: -41, words: 12 }))).toBeCloseTo(
    sumOf(rank({ ...de, words: 12, share: 1 }, { score: -41, words: 12 })),
    10,
  );
});

test('languages below a hundredth of all confidences are ruled out, and none without speech', () => {
  const confidences = { en: 0.4, de: 0.1, fr: 0.004, es: 0.006 };
  const ranked = Object.entries(confidences).map(([language, confidence]) => ({ language, confidence }));
  expect(ruledOut(ranked)).toEqual(['fr']);
  expect(ruledOut([])).toEqual([]);
});

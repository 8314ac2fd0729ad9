import { expect, test } from 'vitest';
import { lettersOf } from '../../../src/engines/languages/soundingWords.ts';
import { createWordLoopDecoder } from '../../../src/engines/languages/wordLoopDecoder.ts';
import { readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';

const wordsOf = (...said: readonly string[]) =>
  said.map(phones => ({ letters: lettersOf(phones.split(' ')), count: 10 }));
/** Words that are spoken in the sample, and words that are not. */
const WORDS = wordsOf('HH IY', 'W AA Z', 'N AA T', 'AE N', 'IH L', 'D IH S P OW Z D', 'Y AH NG', 'M AE N');
const OTHERS = wordsOf('CH UW', 'G OY', 'SH ER CH', 'TH AO JH');

test('spoken words explain speech better than others', { timeout: 120_000 }, async () => {
  const decoder = await createWordLoopDecoder({ own: WORDS, other: OTHERS });
  const { own, other } = decoder.hear(readSampleSpeech('not-ill-disposed'));
  expect(own!.score).toBeGreaterThan(other!.score);
  expect(own!.score).toBeLessThan(0);
  expect(own!.words).toBeGreaterThanOrEqual(WORDS.length);
});

test('a decoder processes recordings independently', { timeout: 120_000 }, async () => {
  const decoder = await createWordLoopDecoder({ own: WORDS });
  const speech = readSampleSpeech('not-ill-disposed');
  const first = decoder.hear(speech);
  expect(decoder.hear(silence(2)).own!.words).toBeLessThan(first.own!.words);
  expect(decoder.hear(speech)).toEqual(first);
});

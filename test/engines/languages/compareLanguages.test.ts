// @module-tag slow

import { expect, test, vi } from 'vitest';
import { compareLanguages } from '../../../src/engines/languages/compareLanguages.ts';
import { readSampleSpeech } from '../../helpers/sampleSpeech.ts';

const speech = readSampleSpeech('sense-and-sensibility').subarray(0, 8 * 16_000);

test('languages that the first half rules out are not compared with the second', async () => {
  const ruledOut = vi.fn(() => ['es', 'fr', 'it']);
  const { de, en, es, fr, it } = await compareLanguages(speech, { ruledOut });
  expect(ruledOut).toHaveBeenCalledTimes(1);
  expect([de!.share, en!.share]).toEqual([1, 1]);
  for (const { share } of [es!, fr!, it!]) expect(share).toBeLessThan(0.6);
  expect(en!.score).toBeGreaterThan(de!.score);
});

test('the rest of the speech is not compared when one language is left', async () => {
  const all = await compareLanguages(speech, { ruledOut: () => ['de', 'es', 'fr', 'it'] });
  for (const { share, words, ticks } of Object.values(all)) {
    expect(share).toBeLessThan(0.6);
    expect(words).toBeGreaterThan(5);
    expect(ticks).toBeLessThan(500);
  }
});

test('short speech is compared whole', async () => {
  const ruledOut = vi.fn(() => []);
  const all = await compareLanguages(speech.subarray(0, 5 * 16_000), { ruledOut });
  expect(ruledOut).not.toHaveBeenCalled();
  expect(Object.values(all).map(({ share }) => share)).toEqual([1, 1, 1, 1, 1]);
});

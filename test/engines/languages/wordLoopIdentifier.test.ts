import { expect, test } from 'vitest';
import { createWordLoopIdentifier } from '../../../src/engines/languages/wordLoopIdentifier.ts';
import { readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';
import { languageIdentifierContract } from '../languageIdentifierContract.ts';

languageIdentifierContract('the word loops', {
  create: createWordLoopIdentifier,
  speech: () => readSampleSpeech('sense-and-sensibility').subarray(0, 8 * 16_000),
  language: 'en',
});

test('silence has no language', { timeout: 120_000 }, async () => {
  await using identifier = createWordLoopIdentifier();
  expect(await identifier.identify([silence(3)])).toEqual([]);
});

test('a second of speech gives low confidence', { timeout: 120_000 }, async () => {
  await using identifier = createWordLoopIdentifier();
  const speech = readSampleSpeech('not-ill-disposed').subarray(0, 16_000);
  for (const { confidence } of await identifier.identify([speech])) expect(confidence).toBeLessThan(0.6);
});

test('closing ends what is under way', { timeout: 120_000 }, async () => {
  const identifier = createWordLoopIdentifier();
  const identifying = identifier.identify([readSampleSpeech('sense-and-sensibility')]);
  await Promise.all([expect(identifying).rejects.toMatchObject({ code: 'aborted' }), identifier.close()]);
});

test('without PocketSphinx the command that mends it is told', { timeout: 120_000 }, async () => {
  await using identifier = createWordLoopIdentifier({ roots: [] });
  const identifying = identifier.identify([readSampleSpeech('not-ill-disposed')]);
  await expect(identifying).rejects.toMatchObject({ code: 'engine-missing' });
});

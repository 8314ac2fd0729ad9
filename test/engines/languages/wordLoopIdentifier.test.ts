import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createWordLoopIdentifier } from '../../../src/engines/languages/wordLoopIdentifier.ts';
import { stalledAudio } from '../../helpers/cutAudio.ts';
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
  const heard = await identifier.identify([speech]);
  expect(heard).toHaveLength(identifier.languages.length);
  expect(heard[0]!.confidence).toBeLessThan(0.6);
});

test('closing ends what is under way, and refuses what comes', { timeout: 120_000 }, async () => {
  const identifier = createWordLoopIdentifier();
  const speech = readSampleSpeech('sense-and-sensibility');
  const refused = expect(identifier.identify([speech])).rejects.toMatchObject({ code: 'unavailable' });
  await Promise.all([refused, identifier.close()]);
  await expect(identifier.identify([speech])).rejects.toMatchObject({ code: 'unavailable' });
});

test('closing waits for no audio', { timeout: 120_000 }, async () => {
  const identifier = createWordLoopIdentifier();
  const stalled = new AbortController();
  const closed = once(stalled.signal, 'abort').then(() => identifier.close());
  const identifying = identifier.identify(stalledAudio(readSampleSpeech('not-ill-disposed'), stalled));
  await expect(identifying).rejects.toMatchObject({ code: 'unavailable' });
  await closed;
});

test('without PocketSphinx the command that mends it is told', { timeout: 120_000 }, async () => {
  await using identifier = createWordLoopIdentifier({ roots: [] });
  const identifying = identifier.identify([readSampleSpeech('not-ill-disposed')]);
  await expect(identifying).rejects.toMatchObject({ code: 'engine-missing' });
});

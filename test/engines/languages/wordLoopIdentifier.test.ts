// @module-tag slow

import { once } from 'node:events';
import { expect, test } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import { createWordLoopIdentifier } from '../../../src/engines/languages/wordLoopIdentifier.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import type { Recognizer } from '../../../src/engines/recognizer.ts';
import { stalledAudio } from '../../helpers/cutAudio.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { languageIdentifierContract } from '../languageIdentifierContract.ts';

languageIdentifierContract('the word loops', {
  create: createWordLoopIdentifier,
  speech: () => readSampleSpeech('sense-and-sensibility').subarray(0, 8 * 16_000),
  language: 'en',
});

test('at most 8 s of speech are read', { timeout: 120_000 }, async () => {
  await using identifier = createWordLoopIdentifier();
  let seconds = 0;
  function* reading() {
    for (; seconds < 60; seconds++) yield readSampleSpeech('sense-and-sensibility').subarray(0, 16_000);
  }
  await identifier.identify(reading());
  expect(seconds).toBeLessThan(12);
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

test('closing ends running work and rejects new work', { timeout: 120_000 }, async () => {
  const identifier = createWordLoopIdentifier();
  const speech = readSampleSpeech('sense-and-sensibility');
  const refused = expect(identifier.identify([speech])).rejects.toMatchObject({ code: 'unavailable' });
  await Promise.all([refused, identifier.close()]);
  await expect(identifier.identify([speech])).rejects.toMatchObject({ code: 'unavailable' });
});

test('closing does not wait for audio', { timeout: 120_000 }, async () => {
  const identifier = createWordLoopIdentifier();
  const stalled = new AbortController();
  const closed = once(stalled.signal, 'abort').then(() => identifier.close());
  const identifying = identifier.identify(stalledAudio(readSampleSpeech('not-ill-disposed'), stalled));
  await expect(identifying).rejects.toMatchObject({ code: 'unavailable' });
  await closed;
});

test.for(['not-ill-disposed', 'sense-and-sensibility'])(
  'clear English is identified with certainty by a recogniser: %s',
  { tags: 'tools', timeout: 120_000 },
  async (name, context) => {
    await needsRecognizer(context);
    await using recognizer = createMoonshineRecognizer({ processes: 1 });
    await using identifier = createWordLoopIdentifier({ recognizer, maxSpeechSeconds: 8 });
    const [best] = await identifier.identify([readSampleSpeech(name)]);
    expect(best!.language).toBe('en');
    expect(best!.confidence).toBeGreaterThan(0.6);
  },
);

/** A recogniser whose work fails. */
function failingRecognizer(code: 'engine-missing' | 'download' | 'engine-failed'): Recognizer {
  return {
    ...createScriptedRecognizer(),
    recognize: () => Promise.reject(new RxscribeError(code, 'recognise: it failed')),
  };
}

test('a missing recogniser is not needed', { timeout: 120_000 }, async () => {
  const speech = readSampleSpeech('not-ill-disposed');
  await using plain = createWordLoopIdentifier();
  const expected = await plain.identify([speech]);
  for (const code of ['engine-missing', 'download'] as const) {
    await using identifier = createWordLoopIdentifier({ recognizer: failingRecognizer(code) });
    expect(await identifier.identify([speech])).toEqual(expected);
  }
});

test('a failing recogniser fails the identification', { timeout: 120_000 }, async () => {
  await using identifier = createWordLoopIdentifier({ recognizer: failingRecognizer('engine-failed') });
  const identifying = identifier.identify([readSampleSpeech('not-ill-disposed')]);
  await expect(identifying).rejects.toMatchObject({ code: 'engine-failed' });
});

// @module-tag tools

import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { createWordLoopIdentifier } from '../../../src/engines/languages/wordLoopIdentifier.ts';
import { endOf, keptService, postMedia } from '../../helpers/keptService.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { silence } from '../../helpers/sampleSpeech.ts';
import { request } from '../../helpers/testService.ts';
import { wav } from '../../helpers/wavBytes.ts';

// A few seconds suffice.
const languageIdentifier = createWordLoopIdentifier({ maxSpeechSeconds: 4 });
afterAll(() => languageIdentifier.close());
const service = keptService({
  languageIdentifier,
  // Polls as fast as possible.
  limits: { account: { requestsPerSecond: 1e6, requestBurst: 1e6 } },
});

async function identify(media: Uint8Array) {
  const submitted = await postMedia(service(), '/languageid/v1/jobs', media);
  const path = `/languageid/v1/jobs/${submitted.json().id}`;
  return { path, job: await endOf(service(), path) };
}

test('a job identifies the language, by the included engine', {
  tags: 'tools',
}, async context => {
  await needsRecognizer(context);
  const { path, job } = await identify(
    readFileSync(new URL('../../../samples/sense-and-sensibility.wav', import.meta.url)),
  );
  expect(job).toMatchObject({ status: 'completed', type: 'language_id' });
  expect(job.processed_duration_seconds).toBeGreaterThan(5);
  const { top_language, language_confidences } = (await request(service(), `${path}/result`)).json();
  expect(top_language).toBe('en');
  expect(language_confidences[0].language).toBe('en');
  const confidences: number[] = language_confidences.map(
    ({ confidence }: { confidence: number }) => confidence,
  );
  expect(confidences.length).toBe(languageIdentifier.languages.length);
  expect(confidences.reduce((sum, confidence) => sum + confidence)).toBeLessThanOrEqual(1);
});

test('a job of silence fails, and says that there is no language', async () => {
  const { job } = await identify(wav(new Uint8Array(silence(3).buffer)));
  expect(job).toMatchObject({
    status: 'failed',
    failure: 'invalid_media',
    failure_detail: 'The media has no speech in a known language.',
  });
});

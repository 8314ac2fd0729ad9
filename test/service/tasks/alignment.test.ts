// @module-tag slow

import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { createAligner } from '../../../src/engines/alignment/aligner.ts';
import type { TextElementJson } from '../../../src/protocol/transcriptJson.ts';
import { ALIGNMENT_JOBS } from '../../helpers/collections.ts';
import { endOf, keptService, postJson, postMedia } from '../../helpers/keptService.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import { readSampleText } from '../../helpers/sampleSpeech.ts';
import { request } from '../../helpers/testService.ts';
import { wav } from '../../helpers/wavBytes.ts';

const JSON_TRANSCRIPT = 'application/vnd.svc.transcript.v1.0+json';
const NAME = 'not-ill-disposed';
const AUDIO = readFileSync(new URL(`../../../samples/${NAME}.wav`, import.meta.url));
const LONGER = readFileSync(new URL('../../../samples/sense-and-sensibility.wav', import.meta.url));

const aligner = createAligner();
afterAll(() => aligner.close());
const service = keptService({
  aligner,
  allowPrivateAddresses: true,
  // Polls as fast as possible.
  limits: { account: { requestsPerSecond: 1e6, requestBurst: 1e6 } },
});

/** Resolves with the job when it has ended. */
async function align(text: string, options: object = {}, media: Uint8Array = AUDIO) {
  const submitted = await postMedia(service(), ALIGNMENT_JOBS, media, { transcript_text: text, ...options });
  expect(submitted.status).toBe(200);
  return await endOf(service(), `${ALIGNMENT_JOBS}/${submitted.json().id}`);
}

async function wordsOf({ id }: { readonly id: string }): Promise<readonly TextElementJson[]> {
  const path = `${ALIGNMENT_JOBS}/${id}/transcript`;
  const answer = await request(service(), path, { headers: { accept: JSON_TRANSCRIPT } });
  expect(answer.status).toBe(200);
  const { monologues } = answer.json();
  expect(monologues).toHaveLength(1);
  expect(monologues[0].speaker).toBe(0);
  return monologues[0].elements;
}

test('a job gives the time of each word', async () => {
  const job = await align('He was not, an ill-disposed young man!');
  expect(job).toMatchObject({
    status: 'completed',
    type: 'alignment',
    language: 'en',
    processed_duration_seconds: 2.99,
  });
  const words = await wordsOf(job);
  expect(words.map(({ value }) => value)).toEqual('He was not an ill-disposed young man'.split(' '));
  let reached = 0;
  for (const { value, type, ts, end_ts } of words) {
    expect(type).toBe('text');
    expect(ts, value).toBeGreaterThanOrEqual(reached);
    expect(end_ts, value).toBeGreaterThan(ts!);
    reached = end_ts!;
  }
  expect(reached).toBeLessThan(2.99);
  expect(words[0]!.ts).toBeGreaterThan(0.1);
  // The reader pauses before "an".
  expect(words[3]!.ts! - words[2]!.end_ts!).toBeGreaterThan(0.1);
});

test('text and media that have addresses are fetched', async () => {
  const { url } = await httpServer((asked, response) =>
    response.end(asked.url === '/words.txt' ? 'he was not an ill disposed young man' : AUDIO),
  );
  const submitted = await postJson(service(), ALIGNMENT_JOBS, {
    source_config: { url: `${url}/speech.wav` },
    source_transcript_config: { url: `${url}/words.txt` },
  });
  const job = await endOf(service(), `${ALIGNMENT_JOBS}/${submitted.json().id}`);
  expect(job).toMatchObject({ status: 'completed', name: 'speech.wav' });
  expect((await wordsOf(job)).filter(({ ts }) => ts !== undefined)).toHaveLength(8);
});

test('words that are not said have no times', async () => {
  const added = 'Chapter twenty-seven: Refrigerators. 1,250 crocodiles';
  const said = readSampleText('sense-and-sensibility').join(' ');
  const words = await wordsOf(await align(`${added} ${said}`, {}, LONGER));
  const count = added.split(' ').length;
  expect(words.slice(0, count)).toEqual(
    ['Chapter', 'twenty-seven', 'Refrigerators', '1,250', 'crocodiles'].map(value => ({
      type: 'text',
      value,
    })),
  );
  const rest = words.slice(count);
  const found = rest.filter(({ ts }) => ts !== undefined);
  expect(found.length).toBeGreaterThanOrEqual(0.85 * rest.length);
  expect(rest.every(({ ts, end_ts }) => (ts === undefined) === (end_ts === undefined))).toBe(true);
});

test.for([
  ['text that is not said', AUDIO, 'call me ishmael', 'transcription'],
  ['silence', wav(new Uint8Array(64_000)), 'he was not an ill disposed young man', 'transcription'],
  ['what is no media', Buffer.from('this is no sound'), 'he was not', 'invalid_media'],
] as const)('a job fails with %s', async ([, media, text, failure]) => {
  const job = await align(text, {}, media);
  expect(job).toMatchObject({ status: 'failed', failure, failure_detail: expect.stringMatching(/\w/) });
  const answer = await request(service(), `${ALIGNMENT_JOBS}/${job.id}/transcript`, {
    headers: { accept: JSON_TRANSCRIPT },
  });
  expect(answer.status).toBe(409);
});

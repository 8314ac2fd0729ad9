import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import { scoreWords } from '../../../src/replay/score/scoreWords.ts';
import { wordsOf } from '../../../src/transcript/text/tokens.ts';
import { endOf, keptService, postJson, postMedia, speechFile } from '../../helpers/keptService.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { createScriptedAligner } from '../../helpers/scriptedAligner.ts';
import { createScriptedDiarizer } from '../../helpers/scriptedDiarizer.ts';
import { createScriptedLanguageIdentifier } from '../../helpers/scriptedLanguageIdentifier.ts';
import { createScriptedSentimentAnalyzer } from '../../helpers/scriptedSentimentAnalyzer.ts';
import { request } from '../../helpers/testService.ts';

type Running = ReturnType<ReturnType<typeof keptService>>;

/** Resolves with a result of a submitted job when it is done. */
// biome-ignore lint/suspicious/noExplicitAny: tests read it as they expect it
async function resultOf(service: Running, area: string, submitted: { json(): any }, accept: string) {
  const path = `${area}/jobs/${submitted.json().id}`;
  const job = await endOf(service, path);
  const kind = accept.includes('transcript') || accept.startsWith('text') ? 'transcript' : 'result';
  const { text } = await request(service, `${path}/${kind}`, { headers: { accept } });
  return { job, text, json: () => JSON.parse(text) };
}

const JSON_TRANSCRIPT = 'application/vnd.svc.transcript.v1.0+json';

describe('a service with all engines', () => {
  const service = keptService({
    aligner: createScriptedAligner(),
    diarizer: createScriptedDiarizer(),
    languageIdentifier: createScriptedLanguageIdentifier(),
    sentimentAnalyzer: createScriptedSentimentAnalyzer(),
    allowPrivateAddresses: true,
  });

  test('separates speakers in downloaded media', async () => {
    const { url } = await httpServer((_, response) => {
      response.setHeader('content-disposition', 'inline; filename="talk.wav"');
      response.end(speechFile([104, 107, 0, 5, 6]));
    });
    const submitted = await postJson(service(), '/speechtotext/v1/jobs', {
      source_config: { url: `${url}/` },
    });
    const { job, text } = await resultOf(service(), '/speechtotext/v1', submitted, 'text/plain');
    expect(job).toMatchObject({ status: 'transcribed', name: 'talk.wav', duration_seconds: 0.5 });
    expect(text).toBe('Speaker 0    00:00:00    W104 w107.\nSpeaker 1    00:00:00    W5 w6.\n');
  });

  test('identifies the spoken language', async () => {
    const submitted = await postMedia(service(), '/languageid/v1/jobs', speechFile([2, 12, 1, 22]));
    const { job, json } = await resultOf(service(), '/languageid/v1', submitted, '*/*');
    expect(job).toMatchObject({ status: 'completed', processed_duration_seconds: 0.4 });
    expect(json().top_language).toBe('de');
  });

  test('aligns the words of a downloaded text', async () => {
    const { url } = await httpServer((asked, response) =>
      response.end(asked.url === '/words.txt' ? 'w4 w9' : speechFile()),
    );
    const submitted = await postJson(service(), '/alignment/v1/jobs', {
      source_config: { url: `${url}/talk.wav` },
      source_transcript_config: { url: `${url}/words.txt` },
    });
    const { job, json } = await resultOf(service(), '/alignment/v1', submitted, JSON_TRANSCRIPT);
    expect(job).toMatchObject({ status: 'completed', processed_duration_seconds: 0.6 });
    expect(json().monologues[0].elements).toMatchObject([
      { value: 'w4', ts: 0, end_ts: 0.1 },
      { value: 'w9', ts: 0.5, end_ts: 0.6 },
    ]);
  });

  test('analyses the sentiment of a text', async () => {
    const submitted = await postJson(service(), '/sentiment_analysis/v1/jobs', { text: 'Good. A bad day.' });
    const { job, json } = await resultOf(service(), '/sentiment_analysis/v1', submitted, '*/*');
    expect(job).toMatchObject({ status: 'completed', word_count: 4 });
    expect(json().messages).toMatchObject([
      { content: 'Good.', sentiment: 'positive', offset: 0, length: 5 },
      { content: 'A bad day.', sentiment: 'negative', offset: 6, length: 10 },
    ]);
  });
});

describe('a service without them', () => {
  const service = keptService();

  test('fails such jobs, and names the missing engine', async () => {
    const submitted = await postMedia(service(), '/languageid/v1/jobs');
    const job = await endOf(service(), `/languageid/v1/jobs/${submitted.json().id}`);
    expect(job).toMatchObject({
      status: 'failed',
      failure: 'internal_processing',
      failure_detail: 'No language identification engine is installed.',
    });
  });
});

describe('a service with a recogniser of its own', () => {
  const recognizer = createMoonshineRecognizer({ maxSessions: 1 });
  afterAll(() => recognizer.close());
  const service = keptService({
    // The assertion below reports a missing one.
    recognizer: { ...recognizer, warm: async () => {} },
    // The test polls often.
    limits: { account: { requestsPerSecond: 1e6 } },
  });

  test('transcribes a recording', { tags: 'tools' }, async context => {
    await needsRecognizer(context);
    const media = readFileSync(new URL('../../../samples/not-ill-disposed.wav', import.meta.url));
    const submitted = await postMedia(service(), '/speechtotext/v1/jobs', media);
    const { job, text } = await resultOf(service(), '/speechtotext/v1', submitted, 'text/plain');
    expect(job).toMatchObject({ status: 'transcribed', type: 'async', name: 'speech.wav' });
    expect(job.duration_seconds).toBeCloseTo((media.length - 44) / 32_000, 2);
    expect(text).toMatch(/^Speaker 0 {4}00:00:0\d {4}[A-Z]/);
    const said = wordsOf('He was not an ill disposed young man.');
    expect(scoreWords(said, wordsOf(text.replace(/^Speaker 0 +\S+/, ''))).wer).toBeLessThanOrEqual(0.5);
  });
});

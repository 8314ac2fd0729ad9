import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text as textFrom } from 'node:stream/consumers';
import { createRevai } from '@ai-sdk/revai';
import {
  AudioConfig,
  CaptionType,
  InvalidParameterError,
  InvalidStateError,
  LanguageIdClient,
  ResourceNotFoundOrUnsupportedApiError,
  RevAiApiClient,
  RevAiCustomVocabulariesClient,
  RevAiStreamingClient,
  SentimentAnalysisClient,
  SessionConfig,
} from 'revai-node-sdk';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Service } from '../../src/service/app.ts';
import { dataDirectory, temporaryDirectory } from '../helpers/dataDirectory.ts';
import { eventually } from '../helpers/eventually.ts';
import { createScriptedLanguageIdentifier } from '../helpers/scriptedLanguageIdentifier.ts';
import { scriptedSpeech } from '../helpers/scriptedRecognizer.ts';
import { createScriptedSentimentAnalyzer } from '../helpers/scriptedSentimentAnalyzer.ts';
import { startTestService, TEST_TOKEN } from '../helpers/testService.ts';
import { wav as wavFile } from '../helpers/wavBytes.ts';

/**
 * The public npm client of this interface, unmodified: only its deployment is configured, and the service's brand word.
 */
let service: Service;
let config: { token: string; deploymentConfig: { baseUrl: string; baseWebsocketUrl: string } };
let api: RevAiApiClient;
let wav: Uint8Array;

beforeEach(async () => {
  service = await startTestService({
    dataDirectory: await dataDirectory(),
    brand: 'rev',
    allowPrivateAddresses: true,
    languageIdentifier: createScriptedLanguageIdentifier(),
    sentimentAnalyzer: createScriptedSentimentAnalyzer(),
  });
  await service.ready;
  config = {
    token: TEST_TOKEN,
    deploymentConfig: { baseUrl: service.url, baseWebsocketUrl: service.url.replace('http', 'ws') },
  };
  api = new RevAiApiClient(config);
  wav = wavFile(new Uint8Array(scriptedSpeech([4, 7, 0, 0, 0, 9, 11]).buffer));
});

describe('the provider of the AI SDK', () => {
  test('submits a recording with its options, and reads the transcript', async () => {
    const provider = createRevai({
      apiKey: TEST_TOKEN,
      // It has no option for the address of the service.
      fetch: (url, init) => fetch(String(url).replace('https://api.rev.ai', service.url), init),
    });
    const { text, segments, language, response } = await provider.transcription('machine').doGenerate({
      audio: wav,
      mediaType: 'audio/wav',
      providerOptions: { revai: { skip_punctuation: true, metadata: 'mine' } },
    });
    // Without the options, there would be punctuation.
    expect(text.trim()).toMatch(/^w4 *w7 *w9 *w11$/i);
    expect(segments).toHaveLength(4);
    expect([language, response.headers!['content-type']]).toEqual([
      'en',
      'application/vnd.rev.transcript.v1.0+json',
    ]);
    const [job] = await api.getListOfJobs();
    expect(job).toMatchObject({ name: 'audio.wav', metadata: 'mine', transcriber: 'machine' });
  });
});

/** Waits for a job by polling, as its documentation says. */
async function finished<T extends { status: string }>(get: () => Promise<T>): Promise<T> {
  let job: T | undefined;
  await eventually(async () => {
    job = await get();
    expect(job.status).not.toBe('in_progress');
  });
  return job!;
}

async function transcribed(id: string): Promise<void> {
  expect((await finished(() => api.getJobDetails(id))).status).toBe('transcribed');
}

describe('the public npm client', () => {
  test('reads the account', async () => {
    const account = await api.getAccount();
    expect(account).toEqual({ email: expect.any(String), balance_seconds: expect.any(Number) });
    expect(Number.isInteger(account.balance_seconds)).toBe(true);
  });

  test('uploads a buffer, and reads the transcript in all its forms and the captions', async () => {
    const job = await api.submitJobAudioData(Buffer.from(wav), 'talk.wav', { metadata: 'mine' });
    expect(job).toMatchObject({ status: 'in_progress', name: 'talk.wav', metadata: 'mine', type: 'async' });
    await transcribed(job.id);
    const { monologues } = await api.getTranscriptObject(job.id);
    const values = monologues.flatMap(({ elements }) => elements).filter(({ type }) => type === 'text');
    expect(values.map(({ value }) => value.toLowerCase())).toEqual(['w4', 'w7', 'w9', 'w11']);
    expect(await api.getTranscriptText(job.id)).toMatch(/^Speaker 0 {4}00:00:00 {4}W4 w7\. W9 w11\./);
    expect(await textFrom((await api.getTranscriptTextStream(job.id)) as Readable)).toContain('W4 w7');
    expect(JSON.parse(await textFrom((await api.getTranscriptObjectStream(job.id)) as Readable))).toEqual({
      monologues,
    });
    const srt = await textFrom((await api.getCaptions(job.id, CaptionType.SRT)) as Readable);
    expect(srt).toMatch(/^1\r?\n00:00:00,000 --> /);
    const vtt = await textFrom((await api.getCaptions(job.id, CaptionType.VTT)) as Readable);
    expect(vtt).toMatch(/^WEBVTT/);
  });

  test('uploads a local file and a stream', async () => {
    const path = join(await temporaryDirectory(), 'speech.wav');
    await writeFile(path, wav);
    const fromPath = await api.submitJobLocalFile(path, { skip_diarization: true });
    const fromStream = await api.submitJobAudioData(createReadStream(path), undefined, {
      delete_after_seconds: 600,
    });
    expect(fromPath).toMatchObject({ name: 'speech.wav', skip_diarization: true });
    expect(fromStream).toMatchObject({ delete_after_seconds: 600 });
    await transcribed(fromPath.id);
    await transcribed(fromStream.id);
  });

  test('submits an address, and is notified', async () => {
    const { url, bodies } = await mediaServer(wav);
    const job = await api.submitJob({
      source_config: { url: `${url}/talk.wav?secret=1` },
      notification_config: { url: `${url}/notify`, auth_headers: { Authorization: 'Bearer theirs' } },
      language: 'en',
    });
    await transcribed(job.id);
    await eventually(() => expect(bodies).toHaveLength(1));
    expect(bodies[0]!.authorization).toBe('Bearer theirs');
    expect(JSON.parse(bodies[0]!.text)).toMatchObject({ job: { id: job.id, status: 'transcribed' } });
    const older = await api.submitJobUrl(`${url}/talk.wav`, { callback_url: `${url}/notify` });
    await transcribed(older.id);
    await eventually(() => expect(bodies).toHaveLength(2));
  });

  test('lists by pages, and deletes', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      const { id } = await api.submitJobAudioData(Buffer.from(wav));
      await transcribed(id);
      ids.unshift(id);
    }
    expect((await api.getListOfJobs()).map(({ id }) => id)).toEqual(ids);
    const [first] = await api.getListOfJobs(1);
    expect((await api.getListOfJobs(10, first!.id)).map(({ id }) => id)).toEqual(ids.slice(1));
    await api.deleteJob(ids[0]!);
    await expect(api.getJobDetails(ids[0]!)).rejects.toBeInstanceOf(ResourceNotFoundOrUnsupportedApiError);
    expect((await api.getListOfJobs()).map(({ id }) => id)).toEqual(ids.slice(1));
  });

  test('gets its own kind of errors', { tags: 'tools' }, async () => {
    const wrong = await api.getListOfJobs(1001).catch(error => error);
    expect(wrong).toBeInstanceOf(InvalidParameterError);
    expect(wrong.parameters.limit).toEqual([expect.any(String)]);
    const failed = await api.submitJobAudioData(Buffer.from('not audio at all'), 'x.wav');
    const job = await finished(() => api.getJobDetails(failed.id));
    expect(job).toMatchObject({ status: 'failed', failure: 'invalid_media' });
    const early = await api.getTranscriptText(failed.id).catch(error => error);
    expect(early).toBeInstanceOf(InvalidStateError);
    expect(early).toMatchObject({ currentValue: 'failed', allowedValues: ['transcribed'] });
    // It reads only the part of a stream that arrived at once.
    const missing = await api.getCaptions('nothing', CaptionType.SRT).catch(error => error);
    expect(missing).toBeInstanceOf(ResourceNotFoundOrUnsupportedApiError);
    expect(missing.details.title).toBe('could not find job');
  });

  test('makes, lists and deletes vocabularies', async () => {
    const vocabularies = new RevAiCustomVocabulariesClient(TEST_TOKEN);
    // It has no option for the address of the service.
    (vocabularies as unknown as HasInstance).apiHandler.instance.defaults.baseURL =
      `${service.url}/speechtotext/v1/vocabularies`;
    const { id } = await vocabularies.submitCustomVocabularies(
      [{ phrases: ['sensible'] }],
      undefined,
      'ours',
    );
    expect(id).toMatch(/^cv/);
    const made = await finished(() => vocabularies.getCustomVocabularyInformation(id));
    expect(made).toMatchObject({ status: 'complete', metadata: 'ours' });
    expect(await vocabularies.getListOfCustomVocabularyInformations(5)).toMatchObject([{ id }]);
    const job = await api.submitJobAudioData(Buffer.from(wav), 'a.wav', { custom_vocabulary_id: id });
    await transcribed(job.id);
    await vocabularies.deleteCustomVocabulary(id);
    expect(await vocabularies.getListOfCustomVocabularyInformations()).toEqual([]);
  });

  test('identifies languages', async () => {
    const client = new LanguageIdClient(config);
    const { id } = await client.submitJobAudioData(Buffer.from(wav), 'a.wav');
    expect(await finished(() => client.getJobDetails(id))).toMatchObject({
      status: 'completed',
      type: 'language_id',
    });
    const result = await client.getResult(id);
    expect(result.language_confidences[0]!.language).toBe(result.top_language);
    expect(await client.getListOfJobs({ limit: 2 })).toMatchObject([{ id }]);
    await client.deleteJob(id);
    expect(await client.getListOfJobs()).toEqual([]);
  });

  test('analyses sentiment', async () => {
    const client = new SentimentAnalysisClient(config as never);
    const { id } = await client.submitJobFromText('This is good. This is bad.');
    expect(await finished(() => client.getJobDetails(id))).toMatchObject({
      status: 'completed',
      type: 'sentiment_analysis',
      word_count: 6,
    });
    const { messages } = await client.getResult(id);
    expect(messages.map(({ content }) => content)).toEqual(['This is good.', 'This is bad.']);
    const filtered = await client.getResult(id, { filter_for: messages[0]!.sentiment });
    expect(filtered.messages.length).toBeGreaterThan(0);
    const transcript = { monologues: [{ speaker: 0, elements: [{ type: 'text', value: 'Good.' }] }] };
    const second = await client.submitJobFromJson(transcript as never);
    expect(await finished(() => client.getJobDetails(second.id))).toMatchObject({ status: 'completed' });
  });

  test('streams', async () => {
    const audio = new AudioConfig('audio/x-raw', 'interleaved', 16_000, 'S16LE', 1);
    const client = new RevAiStreamingClient(config, audio);
    const connected = new Promise<{ id: string }>(resolve => client.once('connect', resolve));
    const closed = new Promise<number>(resolve => client.once('close', resolve));
    const stream = client.start(new SessionConfig('mine', undefined, true));
    const finals: string[] = [];
    stream.on('data', (message: { type: string; elements: { value: string }[] }) => {
      if (message.type === 'final') finals.push(message.elements.map(({ value }) => value).join(''));
    });
    const samples = scriptedSpeech([4, 7, 0, 0, 0, 9]);
    stream.write(Buffer.from(samples.buffer));
    const { id } = await connected;
    client.end();
    expect(await closed).toBe(1000);
    expect(finals).toEqual(['W4 w7.', 'W9.']);
    expect(await finished(() => api.getJobDetails(id))).toMatchObject({ type: 'stream', metadata: 'mine' });
    expect(await api.getTranscriptText(id)).toContain('W4 w7.');
  });
});

interface HasInstance {
  readonly apiHandler: { readonly instance: { readonly defaults: { baseURL: string } } };
}

/** Starts a server with media that accepts notifications. */
async function mediaServer(media: Uint8Array) {
  const bodies: { text: string; authorization?: string }[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return void response.end(media);
    bodies.push({ text: await textFrom(request), authorization: request.headers.authorization });
    response.end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Deepgram, DeepgramError } from '@deepgram/sdk';
import { expect, test } from 'vitest';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { BOOLEANS, deepgramClient, listen, transcriptOf } from '../../helpers/deepgramClient.ts';
import { keptService, speechFile } from '../../helpers/keptService.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { createScriptedDiarizer } from '../../helpers/scriptedDiarizer.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';
import { wav } from '../../helpers/wavBytes.ts';

const UPLOAD_BYTES = 300_000;
const service = keptService({
  doors: ['deepgram', 'openai'],
  diarizer: createScriptedDiarizer(),
  limits: { http: { uploadBytes: UPLOAD_BYTES } },
});

const media = () => deepgramClient(service()).listen.v1.media;
const alternativeOf = (response: unknown) =>
  (response as Deepgram.ListenV1Response).results.channels[0]!.alternatives![0]!;

test("a file is transcribed for the vendor's client", async () => {
  const file = speechFile();
  const response = (await media().transcribeFile(file, {
    model: 'nova-3',
    smart_format: true,
  })) as Deepgram.ListenV1Response;
  expect(response.metadata).toMatchObject({
    sha256: createHash('sha256').update(file).digest('hex'),
    duration: 0.6,
    channels: 1,
    models: [expect.any(String)],
    request_id: expect.any(String),
  });
  expect(alternativeOf(response)).toMatchObject({ transcript: 'W4 w7. W9.' });
  expect(alternativeOf(response).words).toMatchObject([
    { word: 'w4', punctuated_word: 'W4', start: 0, end: 0.1 },
    { word: 'w7', punctuated_word: 'w7.' },
    { word: 'w9', punctuated_word: 'W9.', start: 0.5 },
  ]);
  expect(response.results).not.toHaveProperty('utterances');
});

test('a stream of any type is transcribed, plain unless a client asks for more', async () => {
  const answer = await request(service(), '/v1/listen?model=x', {
    method: 'POST',
    body: new Uint8Array(speechFile()),
    headers: { authorization: `token ${TEST_TOKEN}`, 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(answer.status).toBe(200);
  expect(alternativeOf(answer.json()).transcript).toBe('w4 w7 w9');
});

test('channels of a recording are transcribed apart', async () => {
  const [left, right] = [scriptedSpeech([4, 7, 0, 0, 0, 0]), scriptedSpeech([0, 0, 0, 0, 5, 6])];
  const frames = Int16Array.from([...left].flatMap((sample, at) => [sample, right[at]!]));
  const file = wav(new Uint8Array(frames.buffer), { channels: 2 });
  const options = { multichannel: true, utterances: true };
  const { metadata, results } = (await media().transcribeFile(file, options)) as Deepgram.ListenV1Response;
  expect(metadata.channels).toBe(2);
  expect(results.channels.map(({ alternatives }) => alternatives![0]!.transcript)).toEqual([
    'w4 w7',
    'w5 w6',
  ]);
  expect(results.utterances?.map(({ channel, transcript }) => [channel, transcript])).toEqual([
    [0, 'w4 w7'],
    [1, 'w5 w6'],
  ]);
});

/** A recording with another word in each channel. */
function manyChannels(channels: number): Uint8Array {
  const spoken = Array.from({ length: channels }, (_, channel) => scriptedSpeech([4 + channel, 0, 0, 0]));
  const frames = Int16Array.from([...spoken[0]!].flatMap((_, at) => spoken.map(samples => samples[at]!)));
  return wav(new Uint8Array(frames.buffer), { channels });
}

test.each([1, 3, 8])(
  'each of %i channels is transcribed apart, also of media at an address',
  async channels => {
    const file = manyChannels(channels);
    const { url } = await httpServer((_request, response) => response.end(file));
    const words = Array.from({ length: channels }, (_, channel) => `w${4 + channel}`);
    for (const answer of [
      await media().transcribeFile(file, { multichannel: true }),
      await media().transcribeUrl({ url: `${url}/many.wav`, multichannel: true }),
    ]) {
      const { metadata, results } = answer as Deepgram.ListenV1Response;
      expect(metadata.channels).toBe(channels);
      expect(results.channels.map(({ alternatives }) => alternatives![0]!.transcript)).toEqual(words);
    }
  },
);

test('a silent channel has an empty transcript', async () => {
  const [spoken, silent] = [scriptedSpeech([4, 0, 0, 0]), scriptedSpeech([0, 0, 0, 0])];
  const frames = Int16Array.from([...spoken].flatMap((sample, at) => [sample, silent[at]!, silent[at]!]));
  const file = wav(new Uint8Array(frames.buffer), { channels: 3 });
  const { metadata, results } = (await media().transcribeFile(file, {
    multichannel: true,
  })) as Deepgram.ListenV1Response;
  expect(metadata.channels).toBe(3);
  expect(results.channels.map(({ alternatives }) => alternatives![0]!.transcript)).toEqual(['w4', '', '']);
});

test.each([9, 10, 16])('%i channels are more than can be transcribed apart', async channels => {
  const refused = media().transcribeFile(manyChannels(channels), { multichannel: true });
  await expect(refused).rejects.toThrow(Deepgram.BadRequestError);
  await expect(refused).rejects.toThrow(`${channels} channels (at most 8`);
});

test.each<readonly [string, string]>([
  ['utt_split', 'utterances=true&utt_split=abc'],
  ['utt_split', 'utt_split=-1'],
  ['utt_split', 'utt_split=0x1'],
  ['channels', 'channels=two'],
  ['channels', 'channels=0'],
  ['sample_rate', 'sample_rate=16k'],
  ...BOOLEANS.recorded.map(flag => [flag, `${flag}=maybe`] as const),
])('a recording is refused for its %s: %s', async (name, query) => {
  const answer = await request(service(), `/v1/listen?${query}`, {
    method: 'POST',
    body: new Uint8Array(speechFile()),
  });
  expect([answer.status, answer.json()]).toEqual([
    400,
    expect.objectContaining({
      err_code: 'INVALID_QUERY_PARAMETER',
      err_msg: expect.stringMatching(new RegExp(`^${name}: must be `)),
    }),
  ]);
});

test('a number of seconds is decimal', async () => {
  const file = speechFile([4, ...new Array(4).fill(0), 9]);
  const count = async (split: number) => {
    const response = await media().transcribeFile(file, { utterances: true, utt_split: split });
    return (response as Deepgram.ListenV1Response).results.utterances?.length;
  };
  expect([await count(0.3), await count(1.5)]).toEqual([2, 1]);
});

test('media at an address are transcribed', async () => {
  const { url } = await httpServer((_request, response) => response.end(speechFile()));
  const response = await media().transcribeUrl({ url: `${url}/speech.wav`, punctuate: true });
  expect(alternativeOf(response).transcript).toBe('W4 w7. W9.');
});

test('utterances are divided by pauses and by speakers', async () => {
  const file = speechFile([4, 7, ...new Array(9).fill(0), 9, 105]);
  const response = await media().transcribeFile(file, { utterances: true, diarize: true });
  const { utterances } = (response as Deepgram.ListenV1Response).results;
  expect(utterances).toMatchObject([
    { transcript: 'w4 w7', speaker: 0, start: 0, end: 0.2, channel: 0 },
    { transcript: 'w9', speaker: 0, start: 1.1 },
    { transcript: 'w105', speaker: 1 },
  ]);
  expect(alternativeOf(response).words!.map(({ speaker }) => speaker)).toEqual([0, 0, 0, 1]);
});

test('words of a live session have their speakers', async () => {
  const { connection, closed, results } = await listen(service(), { diarize: 'true' });
  connection.sendMedia(scriptedSpeech([4, 7, 0, 0, 0, 105]));
  connection.sendCloseStream({ type: 'CloseStream' });
  await closed;
  const words = results().flatMap(({ channel }) => channel.alternatives[0]!.words);
  expect(words.map(({ word, speaker }) => [word, speaker])).toEqual([
    ['w4', 0],
    ['w7', 0],
    ['w105', 1],
  ]);
});

test('faults have the shape of the interface', async () => {
  const noAudio = media().transcribeFile(new TextEncoder().encode('no audio at all'), {});
  await expect(noAudio).rejects.toThrow(Deepgram.BadRequestError);
  const fault = await noAudio.catch(error => (error as Deepgram.BadRequestError).body);
  expect(fault).toMatchObject({ err_code: 'INVALID_QUERY_PARAMETER', err_msg: expect.any(String) });
  const wrong = deepgramClient(service(), 'wrong').listen.v1.media.transcribeFile(speechFile(), {});
  await expect(wrong).rejects.toThrow(DeepgramError);
  await expect(wrong).rejects.toMatchObject({ statusCode: 401, body: { err_code: 'INVALID_AUTH' } });
  const large = media().transcribeFile(new Uint8Array(UPLOAD_BYTES + 1), {});
  await expect(large).rejects.toMatchObject({ statusCode: 413, body: { err_code: 'PAYLOAD_TOO_LARGE' } });
});

test.each([
  ['application/json', '{"url": 5}', 400],
  ['application/json', '{', 400],
  ['application/json', 'null', 400],
  ['application/json', '{"url": "file:///etc/passwd"}', 400],
  ['multipart/form-data; boundary=x', '--x--', 415],
  ['audio/wav', '', 400],
])('a body of %s is refused: %s', async (type, body, status) => {
  const answer = await request(service(), '/v1/listen', {
    method: 'POST',
    body,
    headers: { 'content-type': type },
  });
  expect([answer.status, answer.json()]).toEqual([
    status,
    expect.objectContaining({ err_code: expect.any(String) }),
  ]);
});

test('an endless body is cut at the limit of uploads', async () => {
  const body = new ReadableStream({
    pull: controller => controller.enqueue(new Uint8Array(10_000)),
  });
  const answer = await request(service(), '/v1/listen', {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { 'content-type': 'audio/wav' },
  } as never);
  expect([answer.status, answer.json().err_code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
});

test('speech is recognised, live and in a recording', { tags: 'tools' }, async context => {
  await needsRecognizer(context);
  await using recognizer = createMoonshineRecognizer({ maxSessions: 2 });
  const real = await startTestService({
    recognizer,
    doors: ['deepgram'],
    dataDirectory: await dataDirectory(),
  });
  await real.ready;
  const path = new URL('../../../samples/not-ill-disposed.wav', import.meta.url);
  const recorded = await deepgramClient(real).listen.v1.media.transcribeFile(createReadStream(path), {
    smart_format: true,
  });
  const { connection, closed, results } = await listen(real, {
    encoding: undefined,
    sample_rate: undefined,
    smart_format: 'true',
    interim_results: 'true',
  });
  for await (const piece of createReadStream(path, { highWaterMark: 3200 })) connection.sendMedia(piece);
  connection.sendCloseStream({ type: 'CloseStream' });
  expect((await closed).code).toBe(1000);
  const finals = results().filter(result => result.is_final);
  expect(results().length).toBeGreaterThan(finals.length);
  const text = finals.map(transcriptOf).join(' ');
  expect(text).toMatch(/^He was not an ill-\w*sposed young man/);
  expect(alternativeOf(recorded).transcript).toMatch(/^He was not an ill-\w*sposed young man/);
});

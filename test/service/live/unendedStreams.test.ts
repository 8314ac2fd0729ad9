import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import type { Service } from '../../../src/service/app.ts';
import { LIMIT_DEFAULTS } from '../../../src/service/limits.ts';
import { accountWith } from '../../helpers/accountWith.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { DESK_ADMIN_TOKEN } from '../../helpers/deskClient.ts';
import { eventually } from '../../helpers/eventually.ts';
import type { LimitedServiceOptions } from '../../helpers/limitedService.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { connectedStream, RAW_16K, type StreamClient } from '../../helpers/streamClient.ts';
import { advanceUntil, request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const JOBS = '/speechtotext/v1/jobs';
const V1_JSON = 'application/vnd.svc.transcript.v1.0+json';
const MIB = 1024 * 1024;
/** An utterance that ends in a pause, and one that is cut within its third word. */
const CUT_SPEECH = scriptedSpeech([4, 7, 0, 0, 0, 9, 8, 6]).subarray(0, -800);
const CUT_WORDS = ['W4', 'w7', 'W9', 'w8', 'wpart'];

async function storedService(options: Partial<LimitedServiceOptions> = {}): Promise<Service> {
  return startTestService({ dataDirectory: await dataDirectory(), ...options });
}

interface TextJson {
  readonly type: string;
  readonly value: string;
  readonly ts?: number;
  readonly end_ts?: number;
}

/** Resolves with the words of the job of a stream once it is transcribed. */
async function jobWords(service: Service, id: string, token = TEST_TOKEN): Promise<readonly TextJson[]> {
  const headers = { authorization: `Bearer ${token}`, accept: V1_JSON };
  const job = () => request(service, `${JOBS}/${id}`, { headers });
  await eventually(async () => expect((await job()).json()).toMatchObject({ status: 'transcribed' }));
  const answer = await request(service, `${JOBS}/${id}/transcript`, { headers });
  const { monologues } = answer.json() as { monologues: { elements: TextJson[] }[] };
  return monologues.flatMap(({ elements }) => elements.filter(({ type }) => type === 'text'));
}

async function jobValues(service: Service, id: string): Promise<readonly string[]> {
  return (await jobWords(service, id)).map(({ value }) => value);
}

/** Connects a client and sends speech. Resolves once a partial has the given last word. */
async function speaking(service: Service, speech: Int16Array, lastWord: string): Promise<StreamClient> {
  const client = await connectedStream(service);
  client.send(speech);
  await client.message(({ type, elements }) => type === 'partial' && elements.at(-1)?.value === lastWord);
  return client;
}

test('a stream from the largest start has times of two decimals, in finals and in its job', async () => {
  const service = await storedService();
  const client = await connectedStream(service, { start_ts: 99_999_999_999.99 });
  expect((await client.finish(CUT_SPEECH)).code).toBe(1000);
  const words = client.finals().flatMap(({ elements }) => elements.filter(({ type }) => type === 'text'));
  const times = words.flatMap(({ ts, end_ts }) => [ts, end_ts]);
  const later = [9, 9, 19, 49, 59, 59, 69, 69, 74].map(hundredths => 1e11 + hundredths / 100);
  expect(times).toEqual([99_999_999_999.99, ...later]);
  expect(await jobWords(service, await client.connected)).toEqual(words);
});

describe('an idle stream is closed after a final with', () => {
  test.each([
    ['all words, when the last one ends 0.15 s before the audio', [4, 7, 0, 0], 0.15, ['W4', 'w7']],
    ['all but the last word, when that ends later', [4, 7, 0, 0], 0.14, ['W4']],
    ['all but a word that is cut', [4, 7, 9], 0, ['W4', 'w7']],
  ] as const)('%s', async (_, levels, restSeconds, words) => {
    const clock = new VirtualClock();
    const service = await storedService({ clock });
    const speech = scriptedSpeech(levels);
    const silentFrames = levels.filter(level => level === 0).length * 1600;
    const end = speech.length - silentFrames + restSeconds * 16_000;
    const client = await speaking(
      service,
      speech.subarray(0, end),
      `w${levels.findLast(level => level > 0)}`,
    );
    const { code, reason } = await advanceUntil(clock, LIMIT_DEFAULTS.stream.idleMs, client.closed);
    expect([code, reason]).toEqual([1000, 'No data has been transferred, closing connection']);
    expect(client.finalWords()).toEqual(words);
    expect(client.messages.at(-1)).toMatchObject({ type: 'final', end_ts: words.length / 10 });
    expect(await jobValues(service, await client.connected)).toEqual(words);
  });

  test('nothing when there is only a word that is cut, which is withdrawn', async () => {
    const clock = new VirtualClock();
    const client = await speaking(await startTestService({ clock }), scriptedSpeech([5]), 'w5');
    expect((await advanceUntil(clock, LIMIT_DEFAULTS.stream.idleMs, client.closed)).code).toBe(1000);
    expect(client.finals()).toEqual([]);
    expect(client.messages.at(-1)).toMatchObject({ type: 'partial', elements: [] });
  });
});

describe('a stream that ends without EOS sends nothing more, and its job has all words', () => {
  const ends: readonly [string, (client: StreamClient) => void, number | undefined][] = [
    ['closes', client => client.socket.close(), undefined],
    ['disconnects', client => client.socket.terminate(), undefined],
    ['sends another text', client => client.send('eos'), 1007],
  ];

  test.each(ends)('when its client %s during a word', async (_, leave, code) => {
    const service = await storedService();
    const client = await speaking(service, CUT_SPEECH, 'w8');
    const before = client.messages.length;
    leave(client);
    if (code) expect((await client.closed).code).toBe(code);
    const id = await client.connected;
    expect(await jobValues(service, id)).toEqual(CUT_WORDS);
    expect(client.messages).toHaveLength(before);
    const job = await request(service, `${JOBS}/${id}`);
    expect(job.json()).toMatchObject({ type: 'stream', duration_seconds: CUT_SPEECH.length / 16_000 });
    const captions = await request(service, `${JOBS}/${id}/captions`, { headers: { accept: 'text/vtt' } });
    expect(captions.text).toContain('wpart');
    expect((await request(service, `${JOBS}/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await request(service, `${JOBS}/${id}`)).status).toBe(404);
  });

  test.each(ends)('when its client %s before the recogniser has taken the audio', async (_, leave) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const recognizer = createScriptedRecognizer({ beforeWrite: () => promise });
    const service = await storedService({ recognizer });
    const client = await connectedStream(service);
    for (let at = 0; at < CUT_SPEECH.length; at += 1600) client.send(CUT_SPEECH.subarray(at, at + 1600));
    const ponged = new Promise(resolve => client.socket.once('pong', resolve));
    client.socket.ping();
    await ponged;
    leave(client);
    await new Promise(resolve => setImmediate(resolve));
    resolve();
    expect(await jobValues(service, await client.connected)).toEqual(CUT_WORDS);
    await eventually(() => expect(recognizer.openSessions).toBe(0));
    const { balance_seconds: balance } = (await request(service, '/speechtotext/v1/account')).json();
    expect(balance).toBe(1_000_000_000 - 1);
  });

  test('when its client ends the audio and leaves before the last final', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const recognizer = createScriptedRecognizer({ beforeWrite: () => promise });
    const service = await storedService({ recognizer });
    const client = await connectedStream(service);
    client.send(CUT_SPEECH);
    client.send('EOS');
    client.socket.close();
    resolve();
    expect(await jobValues(service, await client.connected)).toEqual(CUT_WORDS);
  });

  test('when a message is too long', async () => {
    const service = await storedService({ limits: { stream: { messageBytes: MIB } } });
    const client = await speaking(service, CUT_SPEECH, 'w8');
    const before = client.messages.length;
    client.send(new Uint8Array(MIB + 1));
    expect((await client.closed).code).toBe(1009);
    expect(client.messages).toHaveLength(before);
    expect(await jobValues(service, await client.connected)).toEqual(CUT_WORDS);
  });

  test('when there is no room for a planar message', async () => {
    const service = await storedService({ limits: { stream: { accountBacklogBytes: 3 * MIB } } });
    const client = await connectedStream(service, { content_type: RAW_16K.replace('=i', '=non-i') });
    client.send(CUT_SPEECH);
    client.send(new Uint8Array(4 * MIB));
    expect((await client.closed).code).toBe(1009);
    expect(client.finals().length).toBeLessThanOrEqual(1);
    expect(await jobValues(service, await client.connected)).toEqual(CUT_WORDS);
  });

  test('of the audio before the credit was used up', async () => {
    const service = await storedService({ adminToken: DESK_ADMIN_TOKEN });
    const { token } = await accountWith(1, service);
    const client = await connectedStream(service, { access_token: token });
    client.send(scriptedSpeech([5, 6, 7, 0, 0, ...new Array(100).fill(8)]));
    expect(await client.closed).toEqual({ code: 4003, reason: 'Insufficient credits' });
    expect(client.finals()).toEqual([]);
    const words = await jobWords(service, await client.connected, token);
    // The audio is written in pieces of 0.25 s.
    expect(words.map(({ value }) => value)).toEqual(['W5', 'w6', 'w7', ...new Array(5).fill('w8')]);
  });

  test('when it has lasted as long as it may', async () => {
    const clock = new VirtualClock();
    const limits = { stream: { sessionMs: 10_000 } };
    const service = await storedService({ clock, limits });
    const client = await speaking(service, CUT_SPEECH, 'w8');
    const before = client.messages.length;
    expect((await advanceUntil(clock, limits.stream.sessionMs, client.closed)).code).toBe(4010);
    expect(client.messages).toHaveLength(before);
    expect(await jobValues(service, await client.connected)).toEqual(CUT_WORDS);
  });

  test('when the service stops during a word', async () => {
    const directory = await dataDirectory();
    const service = await startTestService({ dataDirectory: directory });
    const client = await speaking(service, CUT_SPEECH, 'w8');
    const before = client.messages.length;
    const stopped = service.close();
    expect((await client.closed).code).toBe(4010);
    await stopped;
    expect(client.messages).toHaveLength(before);
    const later = await startTestService({ dataDirectory: directory });
    expect(await jobValues(later, await client.connected)).toEqual(CUT_WORDS);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { LIMIT_DEFAULTS } from '../../../src/service/limits.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { listen, shakeHands, transcriptOf } from '../../helpers/deepgramClient.ts';
import { eventually } from '../../helpers/eventually.ts';
import { keptService } from '../../helpers/keptService.ts';
import { bodyOf, handshake, rawRequest } from '../../helpers/rawConnection.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { advanceUntil, request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const recognizer = createScriptedRecognizer();
const STREAMS = 2;
const service = keptService({
  doors: ['deepgram'],
  recognizer,
  limits: { account: { streams: STREAMS }, guesses: { perSecond: 0.001, burst: 3 } },
});

const QUERY = 'encoding=linear16&sample_rate=16000';
const headers = { Authorization: `Token ${TEST_TOKEN}` };

const allFreed = () => eventually(() => expect(recognizer.openSessions).toBe(0));

test.each([
  ['hello'],
  ['{"type":"Unknown"}'],
  ['null'],
  ['[1]'],
  ['{'],
  [JSON.stringify({ type: 'KeepAlive', padding: 'x'.repeat(2000) })],
])('a text that is not known ends the session: %s', async text => {
  const { socket, answered, closed } = shakeHands(service(), QUERY, { headers });
  await answered;
  socket.send(text);
  expect(await closed).toEqual({ code: 1008, reason: expect.stringMatching(/^DATA-0000: /) });
  await allFreed();
});

test('a handshake without a key begins no session', async () => {
  const before = recognizer.opened.length;
  const lines = handshake(`/v1/listen?${QUERY}`, `Authorization: Token ${TEST_TOKEN}`);
  const answer = await rawRequest(service(), ...lines.filter(line => !/^sec-websocket-key/i.test(line)));
  expect([answer.split(' ')[1], bodyOf(answer).err_code]).toEqual(['400', 'INVALID_QUERY_PARAMETER']);
  expect(recognizer.opened).toHaveLength(before);
});

test('audio that cannot be decoded ends the session', async () => {
  const { socket, answered, closed } = shakeHands(service(), '', { headers });
  await answered;
  socket.send(Buffer.alloc(LIMIT_DEFAULTS.stream.waitingBytes, 'no audio'));
  socket.send('{"type":"CloseStream"}');
  expect(await closed).toEqual({ code: 1008, reason: expect.stringMatching(/^DATA-0000: /) });
});

test('a message that is too long ends the session', async () => {
  const { socket, answered, closed } = shakeHands(service(), QUERY, { headers });
  await answered;
  socket.send(Buffer.alloc(8 * 1024 * 1024 + 1));
  expect((await closed).code).toBe(1009);
  await allFreed();
});

test('a client that goes frees its session, also before its handshake is answered', async () => {
  const open = shakeHands(service(), QUERY, { headers });
  await open.answered;
  expect(recognizer.openSessions).toBe(1);
  open.socket.terminate();
  const early = shakeHands(service(), QUERY, { headers });
  early.socket.terminate();
  await early.closed;
  await allFreed();
});

test('the number of streams of an account holds', async () => {
  await allFreed();
  const open = Array.from({ length: STREAMS }, () => shakeHands(service(), QUERY, { headers }));
  for (const { answered } of open) expect((await answered).status).toBe(101);
  const more = await shakeHands(service(), QUERY, { headers }).answered;
  expect(more).toMatchObject({ status: 429, body: { err_code: 'TOO_MANY_REQUESTS' } });
  for (const { socket } of open) socket.terminate();
  await eventually(async () => {
    const { socket, answered } = shakeHands(service(), QUERY, { headers });
    const { status } = await answered;
    socket.terminate();
    expect(status).toBe(101);
  });
});

test('no query and no message makes a fault of the service', async () => {
  const names = fc.constantFrom(
    ...['encoding', 'sample_rate', 'channels', 'multichannel', 'language', 'keyterm', 'keywords', 'model'],
    ...['utterance_end_ms', 'access_token', 'content_type', 'metadata', 'interim_results', 'punctuate', 'x'],
  );
  const values = fc.oneof(
    fc.constantFrom('', 'true', '-1', '1e9', '2', '8000', 'linear16', 'mulaw', 'flac', 'en', 'nova-3'),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
  );
  const messages = fc.oneof(
    fc.constantFrom('{"type":"KeepAlive"}', '{"type":"Finalize"}', '{"type":"CloseStream"}'),
    fc.string({ maxLength: 40 }),
    fc.uint8Array({ maxLength: 5000 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(names, values), { maxLength: 8 }),
      fc.array(messages, { maxLength: 8 }),
      async (pairs, sent) => {
        const query = new URLSearchParams(pairs);
        const { socket, answered, closed } = shakeHands(service(), String(query), { headers });
        const { status, body } = await answered;
        if (status !== 101) {
          expect([400, 429]).toContain(status);
          expect(body).toHaveProperty('err_code');
          return;
        }
        for (const message of sent) socket.send(message);
        socket.send('{"type":"CloseStream"}');
        expect([1000, 1008]).toContain((await closed).code);
      },
    ),
    { numRuns: 100 },
  );
  await allFreed();
});

test('wrong keys of one address are slowed down', async () => {
  const guess = () => shakeHands(service(), QUERY, { headers: { Authorization: 'Token wrong' } }).answered;
  const statuses: number[] = [];
  for (let count = 0; count < 5; count++) statuses.push((await guess()).status);
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
});

test('a client that sends nothing is dropped after 10 s, but not one that says so', async () => {
  const clock = new VirtualClock();
  const timed = await startTestService({
    doors: ['deepgram'],
    clock,
    recognizer: createScriptedRecognizer(),
    dataDirectory: await dataDirectory(),
  });
  await timed.ready;
  const { socket, answered, closed } = shakeHands(timed, `${QUERY}&interim_results=true`, { headers });
  await advanceUntil(clock, 0, answered);
  const pong = () => new Promise<unknown>(resolve => socket.once('pong', resolve));
  for (let count = 0; count < 5; count++) {
    await clock.advanceAsync(9000);
    socket.send('{"type":"KeepAlive"}');
    const answeredPing = pong();
    socket.ping();
    await answeredPing;
  }
  socket.send(scriptedSpeech([4]));
  const [message] = await new Promise<[unknown]>(resolve =>
    socket.once('message', (...all) => resolve([all[0]])),
  );
  expect(transcriptOf(JSON.parse(String(message)))).toBe('w4');
  await clock.advanceAsync(9000);
  expect(socket.readyState).toBe(socket.OPEN);
  await clock.advanceAsync(1000);
  expect(await closed).toEqual({ code: 1011, reason: expect.stringMatching(/^NET-0001: /) });
});

test('a client is read no faster than the recogniser hears', async () => {
  const { promise: isOpen, resolve: openGate } = Promise.withResolvers<void>();
  const slow = await startTestService({
    doors: ['deepgram'],
    recognizer: createScriptedRecognizer({ beforeWrite: () => isOpen }),
    limits: { stream: { waitingBytes: 10_000 } },
    dataDirectory: await dataDirectory(),
  });
  const { socket, answered, closed } = shakeHands(slow, QUERY, { headers });
  await answered;
  const log: string[] = [];
  socket.on('message', data => log.push(JSON.parse(String(data)).type));
  socket.on('pong', () => log.push('pong'));
  for (let count = 0; count < 100; count++) socket.send(scriptedSpeech([4, 0, 0, 0]));
  socket.ping();
  // Without back pressure, the service would have answered by now.
  await request(slow, '/health/live');
  openGate();
  socket.send('{"type":"CloseStream"}');
  expect((await closed).code).toBe(1000);
  expect(log.indexOf('pong')).toBeGreaterThan(50);
  expect(log.filter(type => type === 'Results')).toHaveLength(100);
});

test('a service that stops ends a session after its final, and refuses others', async () => {
  const stopping = await startTestService({
    doors: ['deepgram'],
    recognizer: createScriptedRecognizer(),
    drainSeconds: 60,
    dataDirectory: await dataDirectory(),
  });
  const { connection, closed, message, results } = await listen(stopping, { interim_results: 'true' });
  connection.sendMedia(scriptedSpeech([4]));
  await message('Results');
  const stopped = stopping.close();
  connection.sendMedia(scriptedSpeech([0, 0, 0]));
  expect(await closed).toEqual({ code: 1012, reason: expect.stringContaining('NET-0000') });
  expect(results().at(-1)).toMatchObject({ is_final: true });
  await stopped;
});

import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { from } from 'rxjs';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../../../src/base/clock.ts';
import { readCassette } from '../../../src/replay/cassette/read/readCassette.ts';
import type { FaultSchedule, PlannedPlayFault } from '../../../src/replay/play/faults/faultSchedule.ts';
import { type ProxyOptions, startProxy } from '../../../src/replay/proxy/startProxy.ts';
import type { Service } from '../../../src/service/app.ts';
import { bareSession } from '../../helpers/bareClient.ts';
import { dataDirectory, temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { rawRequest } from '../../helpers/rawConnection.ts';
import { expectAllWords, TWO_UTTERANCES } from '../../helpers/recoveryCase.ts';
import { scenarioSource } from '../../helpers/scenarioSource.ts';
import { StreamRun } from '../../helpers/streamRun.ts';
import { startStreamService } from '../../helpers/streamService.ts';
import { request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';
import { wav } from '../../helpers/wavBytes.ts';
import { SPEECH, speechBlocks } from '../cassette/recordings.ts';

const RAW = 'audio/x-raw;layout=interleaved;rate=16000;format=S16LE;channels=1';
let service: Service;

beforeEach(async () => {
  service = await startTestService();
});

async function proxyTo(options: Partial<ProxyOptions> = {}) {
  const proxy = await startProxy({ url: service.url, ...options });
  onTestFinished(() => proxy.close());
  return { ...proxy, proxy, port: Number(new URL(proxy.url).port) };
}

/** The samples of the speech in blocks, and the end. */
const SENT = [
  ...speechBlocks().map((_, at) => new Uint8Array(SPEECH.slice(at * 1600, (at + 1) * 1600).buffer)),
  'EOS',
];

const speak = ({ url }: { readonly url: string }, query = {}) =>
  bareSession(
    { url: `${url}/speechtotext/v1/stream`, token: TEST_TOKEN },
    { query: { content_type: RAW, ...query }, send: SENT },
  );

/** Words and types of messages, without the id of the session. */
const said = ({ texts }: { readonly texts: readonly string[] }) =>
  texts.filter(text => !text.includes('"id"'));

/** Streams live speech through faults, with a client that soon notices silence. */
async function recovered(faults: FaultSchedule) {
  const { url, proxy } = await proxyTo({ faults });
  const run = new StreamRun(scenarioSource(TWO_UTTERANCES, systemClock), {
    ...TWO_UTTERANCES.options,
    url,
    token: TEST_TOKEN,
    pongTimeoutMs: 300,
    stallTimeoutMs: 1000,
  });
  const error = await run.end;
  return { events: run.events, error, statuses: run.statusTypes, waiting: proxy.waitingFaults };
}

describe('a proxy', () => {
  test('passes a stream as it is', async () => {
    const through = await speak(await proxyTo());
    const direct = await speak(service);
    expect(said(through)).toEqual(said(direct));
    expect(said(through).length).toBeGreaterThan(5);
    expect([through.code, through.reason]).toEqual([direct.code, direct.reason]);
  });

  const breaks: readonly PlannedPlayFault[] = [
    { kind: 'cut', afterSeconds: 0.7 },
    { kind: 'cut', afterMessages: 4 },
    { kind: 'half-open', afterSeconds: 0.7 },
    { kind: 'stall', direction: 'down', afterSeconds: 0.7 },
    { kind: 'stall', direction: 'up', afterSeconds: 0.7 },
    { kind: 'close', code: 4010, afterSeconds: 0.7 },
  ];
  test.each(breaks)('loses no word by %j', async fault => {
    const { statuses, waiting, ...run } = await recovered([[fault]]);
    expectAllWords(run);
    expect(statuses).toContain('reconnecting');
    expect(waiting).toEqual([]);
  });

  const troubles: readonly PlannedPlayFault[] = [
    { kind: 'delay', ms: 100, jitterMs: 50 },
    { kind: 'slow-start', ms: 100 },
    { kind: 'stall', direction: 'down', ms: 100, afterSeconds: 0.7 },
    { kind: 'throttle', direction: 'up', bytesPerSecond: 64_000 },
    { kind: 'throttle', direction: 'down', bytesPerSecond: 20_000 },
  ];
  test('changes no word by faults that break no connection', async () => {
    const { waiting, ...run } = await recovered([troubles]);
    expectAllWords(run);
    expect(waiting).toEqual([]);
  });

  test('throttles each direction by itself', async () => {
    const faults = [[{ kind: 'throttle', direction: 'up', bytesPerSecond: 100 } as const]];
    const { url } = await proxyTo({ faults });
    const socket = new WebSocket(
      `${url}/speechtotext/v1/stream?access_token=${TEST_TOKEN}&content_type=${RAW}`,
    );
    await once(socket, 'message');
    const started = performance.now();
    socket.send(new Uint8Array(30));
    socket.send('EOS');
    await once(socket, 'close');
    // 33 bytes: the machine may be slower, never faster.
    expect(performance.now() - started).toBeGreaterThan(300);
  });

  test('stops reading from a client whose service does not read', async () => {
    const slow = await startStreamService(peer => peer.socket.pause());
    const { url } = await proxyTo({ url: slow.url });
    const socket = new WebSocket(`${url}/speechtotext/v1/stream?access_token=x&content_type=${RAW}`);
    await once(socket, 'open');
    const block = new Uint8Array(1024 * 1024);
    for (let sent = 0; sent < 64; sent++) socket.send(block);
    await eventually(async () => {
      const before = socket.bufferedAmount;
      await new Promise(resolve => setTimeout(resolve, 200));
      expect(socket.bufferedAmount).toBe(before);
    });
    expect(socket.bufferedAmount).toBeGreaterThan(32 * block.length);
    socket.terminate();
  });

  test('answers handshakes as its faults say, and passes the next one', async () => {
    const { url, proxy } = await proxyTo({
      faults: [[{ kind: 'http-status', status: 503 }], [{ kind: 'refuse' }]],
    });
    const attempt = () => new WebSocket(`${url}/speechtotext/v1/stream?content_type=${RAW}`);
    const [, answer] = await once(
      attempt().on('error', () => {}),
      'unexpected-response',
    );
    expect(answer.statusCode).toBe(503);
    const [error] = await once(attempt(), 'error');
    expect(error.code).toBe('ECONNRESET');
    expect(proxy.waitingFaults).toEqual([]);
    expect((await speak({ url })).code).toBe(1000);
  });

  test('passes the close code and the status of a service that refuses', async () => {
    const { url } = await proxyTo();
    const socket = { url: `${url}/speechtotext/v1/stream`, token: 'wrong' };
    expect((await bareSession(socket)).code).toBe(4001);
    const missing = new WebSocket(`${url}/nowhere`);
    const [, answer] = await once(
      missing.on('error', () => {}),
      'unexpected-response',
    );
    expect(answer.statusCode).toBe(404);
  });

  test('closes with the code of a fault between two frames', async () => {
    const faults = [[{ kind: 'close', code: 4013, reason: 'busy', afterMessages: 3 } as const]];
    const { url } = await proxyTo({ faults });
    const { texts, code, reason } = await speak({ url });
    expect([texts.length, code, reason]).toEqual([3, 4013, 'busy']);
    for (const text of texts) expect(JSON.parse(text)).toHaveProperty('type');
  });

  test('reports faults whose moment did not come', async () => {
    const faults = [[{ kind: 'cut', afterSeconds: 60 } as const], [{ kind: 'refuse' } as const]];
    const { url, proxy } = await proxyTo({ faults });
    await speak({ url });
    expect(proxy.waitingFaults).toEqual(faults.flat());
  });

  test.each(['reorder', 'duplicate', 'drop'] as const)(
    'refuses the fault %s, which TCP does not have',
    async kind => {
      const fault = kind === 'reorder' ? { kind, messages: 2 } : { kind };
      await expect(startProxy({ url: service.url, faults: [[fault]] })).rejects.toThrow(
        /the kind must be one of cut, half-open, delay, close, slow-start, stall, throttle, refuse, http-status/,
      );
    },
  );

  test('refuses an address with a token', async () => {
    const url = `${service.url}?access_token=secret`;
    await expect(startProxy({ url })).rejects.toThrow(/must have no token/);
  });

  test('answers 502 while the service does not answer', async () => {
    const { url } = await proxyTo({ url: 'http://127.0.0.1:1' });
    expect((await request({ url }, '/speechtotext/v1/account')).status).toBe(502);
    const socket = new WebSocket(`${url}/speechtotext/v1/stream`).on('error', () => {});
    const [, answer] = await once(socket, 'unexpected-response');
    expect(answer.statusCode).toBe(502);
  });

  test('passes jobs with their media, and the problems of wrong requests', async () => {
    service = await startTestService({ dataDirectory: await dataDirectory() });
    await service.ready;
    const { url } = await proxyTo();
    const form = new FormData();
    form.set('media', new Blob([wav(new Uint8Array(SPEECH.buffer))]), 'talk.wav');
    const submitted = await request({ url }, '/speechtotext/v1/jobs', { method: 'POST', body: form });
    expect(submitted.status).toBe(200);
    const path = `/speechtotext/v1/jobs/${submitted.json().id}`;
    await eventually(async () => expect((await request({ url }, path)).json().status).toBe('transcribed'));
    const accept = { accept: 'text/plain' };
    const transcript = await request({ url }, `${path}/transcript`, { headers: accept });
    expect(transcript.text).toMatch(/w4 w7/i);
    const wrong = await request({ url }, '/speechtotext/v1/jobs?limit=1001');
    const direct = await request(service, '/speechtotext/v1/jobs?limit=1001');
    expect([wrong.status, wrong.text]).toEqual([direct.status, direct.text]);
    expect(wrong.headers.get('content-type')).toBe('application/problem+json');
    const stranger = await request({ url }, path, { headers: { authorization: 'Bearer wrong' } });
    expect(stranger.status).toBe(401);
  });

  test('reaches no other host, whatever a request names', async () => {
    const other = await startStreamService(() => {});
    const proxied = await proxyTo();
    const { host } = new URL(other.url);
    const ask = (target: string, ...more: string[]) =>
      rawRequest(proxied, `GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...more);
    expect(await ask(`${other.url}/x`)).toMatch(/^HTTP\/1\.1 400 /);
    const upgrade = [
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    const handshake = [`GET ${other.url}/x HTTP/1.1`, `Host: ${host}`, 'Connection: Upgrade', ...upgrade];
    expect(await rawRequest(proxied, ...handshake)).toMatch(/^HTTP\/1\.1 400 /);
    // These names are paths of the service.
    expect(await ask(`//${host}/speechtotext/v1/stream`)).toMatch(/^HTTP\/1\.1 404 /);
    expect(await ask('/nowhere')).toMatch(/^HTTP\/1\.1 404 /);
    expect(await rawRequest(proxied, `CONNECT ${host} HTTP/1.1`, `Host: ${host}`)).toBe('');
    expect(other.peers).toEqual([]);
  });
});

describe('a proxy that records', () => {
  const filesOf = async (directory: string) =>
    Promise.all((await readdir(directory)).map(name => readFile(join(directory, name), 'latin1')));

  test('writes each session as a cassette, without the token', async () => {
    const record = await temporaryDirectory();
    const warnings: string[] = [];
    const { url, proxy } = await proxyTo({ record, onWarning: message => warnings.push(message) });
    const { texts } = await speak({ url }, { metadata: 'mine', user_agent: 'theirs' });
    await speak({ url });
    await proxy.close();
    expect(warnings).toEqual([]);
    expect((await readdir(record)).filter(name => name.endsWith('.jsonl'))).toEqual([
      'session-0001.cassette.jsonl',
      'session-0002.cassette.jsonl',
    ]);
    const { lines, end, audio } = await readCassette(join(record, 'session-0001.cassette.jsonl'));
    const messages = lines.filter(line => line.type === 'message');
    expect(messages.map(({ message }) => JSON.stringify(message))).toEqual(texts);
    expect(messages.every(({ heard }) => heard === undefined)).toBe(true);
    expect(end).toMatchObject({ frames: SPEECH.length });
    expect(audio?.frames).toBe(SPEECH.length);
    expect(lines.find(({ type }) => type === 'connect')).toMatchObject({
      query: { metadata: 'mine', user_agent: 'theirs' },
    });
    expect(lines.at(-1)).toMatchObject({ type: 'close', by: 'service', code: 1000 });
    for (const text of await filesOf(record)) expect(text).not.toContain(TEST_TOKEN);
  });

  test('hides a token that the service returns', async () => {
    const echo = await startStreamService(peer => {
      peer.say({ type: 'connected', id: peer.query.get('access_token') });
      peer.socket.close(1000);
    });
    const record = await temporaryDirectory();
    const { url, proxy } = await proxyTo({ url: echo.url, record });
    await speak({ url });
    await proxy.close();
    const [text] = await filesOf(record);
    expect(text).toContain('[token]');
    expect(text).not.toContain(TEST_TOKEN);
  });

  test('leaves the cassette of a broken session without an end', async () => {
    const record = await temporaryDirectory();
    const { url, proxy } = await proxyTo({ record, faults: [[{ kind: 'cut', afterMessages: 3 }]] });
    await speak({ url });
    await proxy.close();
    const { end, lines } = await readCassette(join(record, 'session-0001.cassette.jsonl'));
    expect(end).toBeUndefined();
    expect(lines.at(-1)).toMatchObject({ type: 'close', by: 'network' });
  });

  test('reports sessions that cannot be recorded, and passes them', async () => {
    const warnings: string[] = [];
    const { url } = await proxyTo({
      record: join(await temporaryDirectory(), 'missing'),
      onWarning: message => warnings.push(message),
    });
    const flac = await speak({ url }, { content_type: 'audio/x-flac' });
    expect((await speak({ url })).code).toBe(1000);
    expect(flac.code).not.toBe(1006);
    expect(warnings).toEqual([
      expect.stringMatching(/^Connection 1 is not recorded: only raw samples/),
      expect.stringMatching(/^Connection 2 is not recorded: Cannot record to .*ENOENT/),
    ]);
  });

  test('records the session of a client that reconnects as one cassette for each connection', async () => {
    const record = await temporaryDirectory();
    const { url, proxy } = await proxyTo({ record, faults: [[{ kind: 'cut', afterSeconds: 0.5 }]] });
    const run = new StreamRun(from(speechBlocks()), { url, token: TEST_TOKEN, resume: { baseDelayMs: 1 } });
    expect(await run.end).toBeUndefined();
    await proxy.close();
    const second = await readCassette(join(record, 'session-0002.cassette.jsonl'));
    expect(second.end).toBeDefined();
    for (const text of await filesOf(record)) expect(text).not.toContain(TEST_TOKEN);
  });
});

import { pino } from 'pino';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { overSocket } from '../../helpers/adminClient.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { keptService, postJson } from '../../helpers/keptService.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { connectedStream, connectStream } from '../../helpers/streamClient.ts';
import { type Answer, request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const PATH = '/speechtotext/v1/stream_tokens';
const JOBS = '/speechtotext/v1/jobs';
const UNAUTHORIZED = { code: 4001 };
const TOO_MANY = { code: 4029 };

/** Mints a token, with the service's own one unless another is given. */
async function mint(service: { readonly url: string }, body: unknown = {}, token = TEST_TOKEN) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await request(service, PATH, { method: 'POST', body: JSON.stringify(body), headers });
  expect(answer.status).toBe(200);
  return answer.json().token as string;
}

const kept = keptService({ doors: ['openai', 'deepgram'] });

test('a stream token opens a stream, whose metadata it gives', async () => {
  const service = kept();
  const token = await mint(service, { metadata: 'of the token' });
  const client = connectStream(service, { access_token: token });
  const id = await client.connected;
  await expect(client.finish(scriptedSpeech([4, 7, 0, 0]))).resolves.toMatchObject({ code: 1000 });
  expect(client.finalWords()).not.toEqual([]);
  const own = connectStream(service, { access_token: token, metadata: 'of the stream' });
  const ownId = await own.connected;
  await own.finish();
  await eventually(async () => {
    expect((await request(service, `${JOBS}/${id}`)).json()).toMatchObject({ metadata: 'of the token' });
    expect((await request(service, `${JOBS}/${ownId}`)).json()).toMatchObject({ metadata: 'of the stream' });
  });
});

test('without a body, a stream token is valid for a minute', async () => {
  const before = Date.now();
  const answer = await request(kept(), PATH, { method: 'POST' });
  const { token, expires_on } = answer.json();
  expect(token).toMatch(/^\w{43}$/);
  expect(new Date(expires_on).getTime() - before).toBeGreaterThanOrEqual(60_000);
  expect(new Date(expires_on).toISOString()).toBe(expires_on);
});

test.each<[object, string]>([
  [{ expires_in_seconds: 0 }, 'expires_in_seconds'],
  [{ expires_in_seconds: 3601 }, 'expires_in_seconds'],
  [{ expires_in_seconds: '60' }, 'expires_in_seconds'],
  [{ max_sessions: 0 }, 'max_sessions'],
  [{ max_sessions: 1.5 }, 'max_sessions'],
  [{ metadata: 'x'.repeat(513) }, 'metadata'],
  [{ max_session: 1 }, 'max_session'],
  [[], 'request'],
])('refuses %j', async (body, parameter) => {
  const answer = await postJson(kept(), PATH, body);
  expect(answer.status).toBe(400);
  expect(Object.keys(answer.json().parameters)).toEqual([parameter]);
});

test('a stream token is refused everywhere else', async () => {
  const service = kept();
  const token = await mint(service);
  const headers = { authorization: `Bearer ${token}` };
  const withoutId = (text: string) => text.replace(/"request_id":"\w+"/, '');
  const unknown = { authorization: 'Bearer unknown' };
  const answers: [string, string][] = [
    ['GET', '/speechtotext/v1/account'],
    ['GET', JOBS],
    ['POST', JOBS],
    ['POST', PATH],
    ['GET', '/vocabularies'],
    ['POST', '/v1/audio/transcriptions'],
    ['GET', '/v1/models'],
    ['POST', '/v1/listen'],
  ];
  for (const [method, path] of answers) {
    const answer: Answer = await request(service, path, { method, headers });
    expect([path, answer.status]).toEqual([path, 401]);
    const { text } = await request(service, path, { method, headers: unknown });
    expect(withoutId(answer.text)).toBe(withoutId(text));
  }
});

test('the live door of Deepgram takes a stream token', async () => {
  const service = kept();
  const token = await mint(service);
  const url = `${service.url.replace('http', 'ws')}/v1/listen?encoding=linear16&sample_rate=16000`;
  const socket = new WebSocket(url, ['token', token]);
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  socket.terminate();
});

test('more sessions than a stream token permits are refused', async () => {
  const service = kept();
  const token = await mint(service, { max_sessions: 1 });
  const first = await connectedStream(service, { access_token: token });
  await expect(connectStream(service, { access_token: token }).closed).resolves.toMatchObject(TOO_MANY);
  const other = await connectedStream(service, { access_token: await mint(service, { max_sessions: 1 }) });
  await first.finish();
  await eventually(async () => {
    const next = await connectedStream(service, { access_token: token });
    next.socket.terminate();
  });
  await other.finish();
});

test.each(['memory', 'a store'])(
  'a stream token in %s expires, and a stream that runs goes on',
  async place => {
    const clock = new VirtualClock();
    const options = place === 'memory' ? {} : { dataDirectory: await dataDirectory() };
    const service = await startTestService({ clock, ...options });
    await service.ready;
    const token = await mint(service, { expires_in_seconds: 2 });
    const running = await connectedStream(service, { access_token: token });
    clock.advance(1999);
    (await connectedStream(service, { access_token: token })).socket.terminate();
    clock.advance(1);
    await expect(connectStream(service, { access_token: token }).closed).resolves.toMatchObject(UNAUTHORIZED);
    // Some checks of the token of a stream.
    for (let seconds = 0; seconds < 10; seconds++) {
      clock.advance(1000);
      await new Promise(setImmediate);
    }
    expect(running.socket.readyState).toBe(running.socket.OPEN);
    running.socket.terminate();
  },
);

test.each(['DELETE of the token', 'DELETE of the account'])(
  'ends by a %s, also for a running stream',
  async how => {
    const lines: string[] = [];
    const directory = await dataDirectory();
    const logger = pino({}, { write: line => void lines.push(line) });
    const service = await startTestService({ dataDirectory: directory, logger });
    const admin = (method: string, path: string, body?: unknown) =>
      overSocket(directory, method, `/admin/v1/accounts${path}`, body);
    const { id } = (await admin('POST', '', { email: 'ada@example.org', credit_seconds: 1000 })).json();
    const minter = (await admin('POST', `/${id}/tokens`)).json();
    const token = await mint(service, { metadata: 'private words' }, minter.token);
    const other = await mint(service);
    const running = await connectedStream(service, { access_token: token });
    await admin('DELETE', how === 'DELETE of the token' ? `/${id}/tokens/${minter.id}` : `/${id}`);
    await expect(connectStream(service, { access_token: token }).closed).resolves.toMatchObject(UNAUTHORIZED);
    await expect(running.closed).resolves.toMatchObject(UNAUTHORIZED);
    (await connectedStream(service, { access_token: other })).socket.terminate();

    const log = lines.join('');
    for (const secret of [token, other, minter.token, 'private words']) expect(log).not.toContain(secret);
    const minted = lines.map(line => JSON.parse(line)).filter(line => line.action === 'create stream token');
    expect(minted[0]).toMatchObject({ account: id, tokenId: minter.id, msg: 'administration' });
    expect(minted[1]).toMatchObject({ account: 'owner', tokenId: expect.any(String) });
  },
);

test('minting counts as a request, not as a job', async () => {
  const account = { jobsInProgress: 0, requestsPerSecond: 0.01, requestBurst: 2 };
  const service = await startTestService({ limits: { account } });
  await mint(service);
  await mint(service);
  expect((await postJson(service, PATH, {})).status).toBe(429);
});

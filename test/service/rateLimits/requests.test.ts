import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { STREAM_PATH } from '../../../src/protocol/interfaceNames.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { connectStream } from '../../helpers/streamClient.ts';
import { request, startTestService } from '../../helpers/testService.ts';

const ACCOUNT = '/speechtotext/v1/account';

describe('an account with too many requests', () => {
  test('learns when to try again, and succeeds then', async () => {
    const clock = new VirtualClock();
    const limits = { account: { requestsPerSecond: 0.25, requestBurst: 3 } };
    const service = await startTestService({ clock, limits });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await request(service, ACCOUNT)).status);
    expect(statuses).toEqual([200, 200, 200]);
    const { status, headers, json } = await request(service, ACCOUNT);
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe('4');
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(json()).toEqual({ title: 'Too many requests', status: 429 });
    expect((await request(service, '/health/live')).status).toBe(200);
    clock.advance(4000);
    expect((await request(service, ACCOUNT)).status).toBe(200);
    expect((await request(service, ACCOUNT)).status).toBe(429);
  });

  test('has a generous limit', async () => {
    const service = await startTestService({ clock: new VirtualClock() });
    const answers = await Promise.all(Array.from({ length: 201 }, () => request(service, ACCOUNT)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(200);
    expect(answers.filter(({ status }) => status === 429).length).toBe(1);
  });
});

describe('an address with many wrong tokens', () => {
  const limits = { guesses: { perSecond: 0.1, burst: 3 } };
  const wrong = { headers: { authorization: 'Bearer wrong' } };

  test('has to wait on every route; a right token does not', async () => {
    const service = await startTestService({ clock: new VirtualClock(), limits });
    for (let i = 0; i < 2; i++) expect((await request(service, ACCOUNT, wrong)).status).toBe(401);
    const stream = connectStream(service, { access_token: 'wrong' });
    expect((await stream.closed).code).toBe(4001);
    const { status, headers, json } = await request(service, ACCOUNT, wrong);
    expect([status, headers.get('retry-after')]).toEqual([429, '10']);
    expect(json().title).toBe('Too many requests');
    const late = connectStream(service, { access_token: 'wrong' });
    expect((await late.closed).code).toBe(4029);
    expect((await request(service, ACCOUNT)).status).toBe(200);
    expect(await connectStream(service).connected).toBeDefined();
  });
});

test('wrong tokens count for the address that a trusted proxy forwards, of requests and of streams', async () => {
  const lines: string[] = [];
  const { url } = await startTestService({
    trustProxy: ['loopback'],
    limits: { guesses: { perSecond: 0.001, burst: 3 } },
    logger: pino({}, { write: line => lines.push(line) }),
  });
  const headersOf = (from: string) => ({ 'x-forwarded-for': from, 'x-forwarded-proto': 'odd' });
  const asked = async (from: string) => {
    const headers = { ...headersOf(from), authorization: 'Bearer wrong' };
    return (await request({ url }, '/speechtotext/v1/account', { headers })).status;
  };
  const streamed = (from: string) => {
    const address = `${url.replace('http', 'ws')}${STREAM_PATH}?access_token=wrong`;
    const socket = new WebSocket(address, { headers: headersOf(from) });
    return new Promise<number>(resolve => socket.on('close', resolve));
  };
  expect([await streamed('192.0.2.1'), await streamed('192.0.2.1')]).toEqual([4001, 4001]);
  // The client may write what it likes before the address that the proxy adds.
  expect([await asked('198.51.100.1, 192.0.2.1'), await asked('198.51.100.2, 192.0.2.1')]).toEqual([
    401, 429,
  ]);
  expect(await streamed('198.51.100.3, 192.0.2.1')).toBe(4029);
  expect([await asked('192.0.2.2'), await streamed('192.0.2.2')]).toEqual([401, 4001]);
  const logged = lines.map(line => JSON.parse(line));
  const refused = { msg: 'stream refused', code: 4029, address: '192.0.2.1' };
  expect(logged).toContainEqual(expect.objectContaining(refused));
  expect(logged).toContainEqual(
    expect.objectContaining({ msg: 'request', status: 429, address: '192.0.2.1' }),
  );
});

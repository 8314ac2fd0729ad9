import { describe, expect, test } from 'vitest';
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

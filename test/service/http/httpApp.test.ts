import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import type { Accounts } from '../../../src/service/accounts/accounts.ts';
import { createFixedAccount } from '../../../src/service/accounts/fixedAccount.ts';
import { PROBLEMS, type ProblemCode, ProblemError, problemBody } from '../../../src/service/problems.ts';
import { eventually } from '../../helpers/eventually.ts';
import { bodyOf, rawConnection, rawRequest } from '../../helpers/rawConnection.ts';
import { advanceUntil, request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

describe('the table of problems', () => {
  test('has a status, a title, and an address as its type', () => {
    const codes = Object.keys(PROBLEMS) as ProblemCode[];
    expect(codes.length).toBeGreaterThan(10);
    for (const code of codes) {
      const { status, title, type } = problemBody(new ProblemError(code), 'https://speech.example/');
      expect(status).toBeGreaterThanOrEqual(400);
      expect(title).not.toBe('');
      if (type !== undefined) expect(type).toMatch(/^https:\/\/speech\.example\/errors\/[a-z/-]+$/);
    }
  });
});

describe('without a good token', () => {
  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer wrong',
    `Basic ${TEST_TOKEN}`,
    TEST_TOKEN,
    `Bearer ${TEST_TOKEN} x`,
    `Bearer x ${TEST_TOKEN}`,
    `Bearer ${'x'.repeat(5000)}`,
  ])('every route of an account is refused (%#)', async authorization => {
    const service = await startTestService();
    const paths = [
      '/speechtotext/v1/account',
      '/svcspeech/v1beta/account',
      '/speechtotext/v1/jobs/abc',
      '/speechtotext/v1/jobs/abc/transcript',
    ];
    for (const path of paths) {
      const response = await fetch(service.url + path, { headers: authorization ? { authorization } : {} });
      expect(response.status).toBe(401);
      expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(await response.json()).toEqual({
        title: 'Authorization has been denied for this request.',
        status: 401,
      });
    }
  });

  test('a token in the query does not help', async () => {
    const service = await startTestService();
    const response = await fetch(`${service.url}/speechtotext/v1/account?access_token=${TEST_TOKEN}`);
    expect(response.status).toBe(401);
  });

  test('health is still reported', async () => {
    const service = await startTestService();
    await service.ready;
    for (const path of ['/health/live', '/health/ready', '/health/ready/?']) {
      expect((await fetch(service.url + path)).status).toBe(200);
    }
  });
});

describe('an account', () => {
  test('has its address and whole seconds of credit, in both areas and under any form of the path', async () => {
    const accounts = createFixedAccount(TEST_TOKEN, { balanceSeconds: 12.9 });
    const service = await startTestService({ accounts, brand: 'rev' });
    const paths = [
      '/speechtotext/v1/account',
      '/speechtotext/v1/account/',
      '/speechtotext/v1/account?',
      '/speechtotext/v1/account/?',
      '/revspeech/v1beta/account',
      '/revspeech/v1beta/account/?',
    ];
    for (const path of paths) {
      const { status, json } = await request(service, path);
      expect(status).toBe(200);
      expect(json()).toEqual({ email: 'owner@localhost', balance_seconds: 12 });
    }
    const lowerCase = await request(service, paths[0]!, {
      headers: { authorization: `bearer ${TEST_TOKEN}` },
    });
    expect(lowerCase.status).toBe(200);
  });

  test('links to the address by which clients reach it, when it has another', async () => {
    const service = await startTestService({ region: 'eu', publicUrl: 'https://speech.example.org/api/' });
    const { json } = await request(service, '/svcspeech/v1beta/account');
    expect(json().type).toBe('https://speech.example.org/api/errors/unsupported-api');
  });
});

describe('every fault is answered with a problem', () => {
  test.each([
    ['GET', '/', 404],
    ['GET', '/nothing?access_token=x', 404],
    ['POST', '/speechtotext/v1/account', 405],
    ['PUT', '/health/live', 405],
  ])('%s %s', async (method, path, status) => {
    const answer = await request(await startTestService(), path, { method });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(answer.json()).toMatchObject({ status, title: expect.any(String), type: expect.any(String) });
  });

  test('a DELETE may have a body, which is bounded', async () => {
    const service = await startTestService({ limits: { http: { bodyBytes: 1000 } } });
    const send = (body: string, type = 'application/json') =>
      request(service, '/speechtotext/v1/jobs/abc', {
        method: 'DELETE',
        body,
        headers: { 'content-type': type },
      });
    expect((await send(JSON.stringify('x'.repeat(998)))).status).toBe(404);
    const tooLarge = await send(JSON.stringify('x'.repeat(999)));
    expect([tooLarge.status, tooLarge.json().title]).toEqual([413, 'Payload Too Large']);
    const malformed = await send('{');
    expect([malformed.status, Object.keys(malformed.json().parameters)]).toEqual([400, ['request']]);
    expect((await send('x', 'application/x-unheard-of')).status).toBe(415);
  });

  test('headers are bounded', async () => {
    const service = await startTestService({ limits: { http: { headerBytes: 8192 } } });
    const lines = ['GET /health/live HTTP/1.1', 'Host: localhost', 'Connection: close'];
    const under = await rawRequest(service, ...lines, `X-Long: ${'x'.repeat(8000)}`);
    expect(under).toMatch(/^HTTP\/1\.1 200 /);
    const flood = Array.from({ length: 1000 }, (_, index) => `X-${index}: x`);
    for (const more of [[`X-Long: ${'x'.repeat(8192)}`], flood]) {
      const over = await rawRequest(service, ...lines, ...more);
      expect(over).toMatch(/^HTTP\/1\.1 431 /);
      expect(bodyOf(over)).toMatchObject({ status: 431 });
    }
  });

  test('a request without a host, unless it is of HTTP/1.0', async () => {
    const service = await startTestService();
    const answer = await rawRequest(service, 'GET /health/live HTTP/1.1', 'Connection: close');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/content-type: application\/problem\+json/i);
    expect(bodyOf(answer)).toMatchObject({ status: 400, parameter: { host: ['is required'] } });
    expect(await rawRequest(service, 'GET /health/live HTTP/1.0')).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('an unknown expectation', async () => {
    const service = await startTestService();
    const lines = ['GET /health/live HTTP/1.1', 'Host: localhost', 'Connection: close'];
    const answer = await rawRequest(service, ...lines, 'Expect: a miracle');
    expect(answer).toMatch(/^HTTP\/1\.1 417 /);
    expect(bodyOf(answer)).toMatchObject({ status: 417, title: 'Expectation Failed' });
    expect(await rawRequest(service, ...lines, 'Expect: 100-continue')).toMatch(/\r\n\r\nHTTP\/1\.1 200 /);
  });

  test('an invalid request', async () => {
    const answer = await rawRequest(await startTestService(), 'hello there');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(bodyOf(answer)).toMatchObject({ status: 400, parameter: { request: [expect.any(String)] } });
  });

  test('an endless request', async () => {
    const limits = { http: { headersTimeoutMs: 100, checkIntervalMs: 50 } };
    const service = await startTestService({ limits });
    const socket = await rawConnection(service);
    socket.write('GET /health/live HTTP/1.1\r\n');
    const answer = await new Promise<string>(resolve => socket.once('data', data => resolve(String(data))));
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(bodyOf(answer)).toMatchObject({ status: 408 });
  });
});

describe('a service that stops', () => {
  test('is not delayed by an open connection, nor by half a request', async () => {
    const service = await startTestService({ drainSeconds: 3600 });
    await request(service, '/health/live');
    await rawConnection(service);
    const socket = await rawConnection(service);
    socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n');
    await service.close();
    await service.close();
    await expect(fetch(`${service.url}/health/live`)).rejects.toThrow();
  });

  test('answers the requests in progress, which have the time of streams', async () => {
    const clock = new VirtualClock();
    const accounts = createFixedAccount(TEST_TOKEN);
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    const find: Accounts['find'] = async id => {
      ask();
      await mayAnswer;
      return accounts.find(id);
    };
    const service = await startTestService({ clock, accounts: { ...accounts, find }, drainSeconds: 3600 });
    const requested = request(service, '/speechtotext/v1/account');
    await isAsked;
    const stopped = service.close();
    await eventually(() => expect(fetch(`${service.url}/health/live`)).rejects.toThrow());
    await clock.advanceAsync(1_800_000);
    answer();
    expect((await requested).status).toBe(200);
    await advanceUntil(clock, 100, stopped);
  });

  test('frees its store when it cannot listen', async () => {
    const service = await startTestService();
    await expect(startTestService({ port: service.port })).rejects.toMatchObject({ code: 'unavailable' });
  });

  test.each(['Svc', '1a', '', 'a b'])('does not start with the brand word "%s"', async brand => {
    await expect(startTestService({ brand })).rejects.toMatchObject({ code: 'invalid-argument' });
  });
});

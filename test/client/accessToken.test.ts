import { concat, NEVER, of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { accessToken } from '../../src/client/serviceAccess.ts';
import { startHttpService } from '../helpers/httpService.ts';
import { blockAt } from '../helpers/streamBlocks.ts';
import { streamRun } from '../helpers/streamRun.ts';
import { startStreamService } from '../helpers/streamService.ts';

/** Audio that goes on. */
const endless = concat(of(blockAt(0, 1600)), NEVER);

/** Ways of a token function to report the answer of an address. */
const FUNCTIONS: Readonly<Record<string, (url: string) => () => Promise<string | Response>>> = {
  'returns the response': url => () => fetch(url),
  'throws an error with its status': url => async () => {
    const { ok, status, text } = await fetch(url).then(async answer => ({
      ok: answer.ok,
      status: answer.status,
      text: await answer.text(),
    }));
    if (!ok) throw Object.assign(new Error(`no token: ${status}`), { status });
    return text;
  },
};

test('a token function whose error has status 0 got no answer, which may pass', async () => {
  const token = () => Promise.reject(Object.assign(new Error('unreachable'), { status: 0 }));
  const error = await accessToken(token).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'UnauthorizedError', retry: true });
  expect(error).not.toHaveProperty('httpStatus', 0);
});

describe.each(Object.entries(FUNCTIONS))('a token function that %s', (_, functionOf) => {
  test.each([
    { status: 400, retry: false },
    { status: 401, retry: false },
    { status: 403, retry: false },
    { status: 404, retry: false },
    { status: 408, retry: true },
    { status: 429, retry: true },
    { status: 500, retry: true },
    { status: 503, retry: true },
  ])('fails with status $status, which may pass: $retry', async ({ status, retry }) => {
    const { url } = await startHttpService(() => ({ status, text: 'secret of the answer' }));
    const error = await accessToken(functionOf(url)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'UnauthorizedError',
      code: 'unauthorized',
      httpStatus: status,
      retry,
    });
    expect((error as Error).message).toMatch(new RegExp(`^Cannot get an access token: .*\\b${status}\\.$`));
    expect((error as Error).message).not.toContain('secret');
  });

  test('ends a stream at once when it is refused', async () => {
    await using service = await startStreamService();
    const address = await startHttpService(() => ({ status: 403 }));
    const run = streamRun(endless, { url: service.url, token: functionOf(address.url) });
    expect(await run.end).toMatchObject({ code: 'unauthorized', httpStatus: 403 });
    expect(address.requests).toHaveLength(1);
    expect(service.peers).toHaveLength(0);
  });

  test('is called again after a fault of its server, and connects with what it gives then', async () => {
    await using service = await startStreamService();
    const address = await startHttpService(() =>
      address.requests.length < 3 ? { status: 503 } : { text: 'fresh' },
    );
    const run = streamRun(endless, {
      url: service.url,
      token: functionOf(address.url),
      resume: { baseDelayMs: 1, maxDelayMs: 1 },
    });
    await run.until('open');
    expect(service.peers[0]!.query.get('access_token')).toBe('fresh');
    run.subscription.unsubscribe();
  });
});

test('a response with a token may end in a line feed', async () => {
  const { url } = await startHttpService(() => ({ text: 'fresh\n' }));
  expect(await accessToken(() => fetch(url))).toBe('fresh');
});

test('a token function may fail without a status, as without a network, and is called again', async () => {
  const cause = new TypeError('fetch failed.');
  const error = await accessToken(() => Promise.reject(cause)).catch((thrown: unknown) => thrown);
  const message = 'Cannot get an access token: fetch failed.';
  expect(error).toMatchObject({ message, retry: true, cause, httpStatus: undefined });
});

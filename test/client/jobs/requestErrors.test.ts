import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import { createClient } from '../../../src/client/jobs/createClient.ts';
import type {
  InvalidJobStateError,
  InvalidParametersError,
  NotAcceptableError,
} from '../../../src/client/jobs/requestErrors.ts';
import {
  type OutOfCreditError,
  ServiceError,
  type TooManyRequestsError,
} from '../../../src/client/serviceErrors.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type GivenAnswer, startHttpService } from '../../helpers/httpService.ts';
import { rawServer } from '../../helpers/loopbackServer.ts';

const TOKEN = 'token-of-the-account';

async function errorOf(promise: Promise<unknown>): Promise<ServiceError> {
  const error = await promise.then(
    () => undefined,
    thrown => thrown,
  );
  expect(error).toBeInstanceOf(RxscribeError);
  expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(TOKEN);
  return error;
}

async function errorOfAnswer(answer: GivenAnswer): Promise<ServiceError> {
  const service = await startHttpService(() => answer);
  return errorOf(createClient({ url: service.url, token: TOKEN }).transcription.get('a1'));
}

describe('an error response', () => {
  test.each<[number, string, string, boolean]>([
    [400, 'InvalidParametersError', 'bad-request', false],
    [401, 'UnauthorizedError', 'unauthorized', false],
    [402, 'OutOfCreditError', 'out-of-credit', false],
    [403, 'UnauthorizedError', 'unauthorized', false],
    [404, 'NotFoundError', 'not-found', false],
    [405, 'BadRequestError', 'bad-request', false],
    [406, 'NotAcceptableError', 'bad-request', false],
    [408, 'RequestTimeoutError', 'timeout', true],
    [409, 'InvalidJobStateError', 'invalid-state', false],
    [413, 'PayloadTooLargeError', 'bad-request', false],
    [429, 'TooManyRequestsError', 'too-many-requests', true],
    [500, 'ServiceFailedError', 'unavailable', true],
    [502, 'ServiceFailedError', 'unavailable', true],
    [503, 'ServiceUnavailableError', 'unavailable', true],
  ])('of status %i is a %s', async (httpStatus, name, code, retry) => {
    const error = await errorOfAnswer({
      status: httpStatus,
      json: { title: 'The title', status: httpStatus },
    });
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ name, code, retry, httpStatus, reason: 'The title' });
    expect(error.message).toContain(`HTTP status ${httpStatus} (The title)`);
    expect(error.advice).toMatch(/^[A-Z].*\.$/);
  });

  test('that redirects is not followed, as the token is for one service', async () => {
    const error = await errorOfAnswer({ status: 302, headers: { location: 'http://127.0.0.1:1/' } });
    expect(error).toMatchObject({ name: 'ProtocolError', httpStatus: 302 });
  });

  test('about parameters names all of them', async () => {
    const faults = {
      limit: ['must be at most 1000', 'must be an integer'],
      'segments[0].start': ['is wrong'],
    };
    const error = await errorOfAnswer({
      status: 400,
      json: { title: 'wrong', type: 'a/invalid-parameters', parameter: faults },
    });
    expect((error as InvalidParametersError).faults).toEqual(faults);
    expect(error.message).toContain('limit: must be at most 1000, must be an integer');
    const newer = await errorOfAnswer({ status: 400, json: { title: 'wrong', parameters: faults } });
    expect((newer as InvalidParametersError).faults).toEqual(faults);
  });

  test('about missing credit has the balance', async () => {
    const json = { title: 'No credit', type: 'a/out-of-credit', detail: 'You have 7 s', current_balance: 7 };
    const error = await errorOfAnswer({ status: 403, json });
    expect(error).toMatchObject({ name: 'OutOfCreditError', code: 'out-of-credit' });
    expect((error as OutOfCreditError).currentBalance).toBe(7);
    expect(error.problem).toEqual({
      status: 403,
      title: 'No credit',
      type: 'a/out-of-credit',
      detail: 'You have 7 s',
      currentBalance: 7,
    });
  });

  test('about a state or media type has the accepted ones', async () => {
    const json = { title: 'no', allowed_values: ['transcribed'], current_value: 'in_progress' };
    const conflict = (await errorOfAnswer({ status: 409, json })) as InvalidJobStateError;
    expect(conflict).toMatchObject({ allowedValues: ['transcribed'], currentValue: 'in_progress' });
    const unacceptable = (await errorOfAnswer({ status: 406, json })) as NotAcceptableError;
    expect(unacceptable.allowedValues).toEqual(['transcribed']);
  });

  test.each([
    ['7', 7],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  ])('has the seconds of Retry-After: %s', async (value, seconds) => {
    const error = await errorOfAnswer({
      status: 429,
      headers: { 'retry-after': value },
      json: { title: 'slow' },
    });
    expect((error as TooManyRequestsError).retryAfterSeconds).toBe(seconds);
  });

  test.each([
    ['a web page', '<html>Bad gateway</html>'],
    ['empty', ''],
    ['other JSON', '["title"]'],
    ['a problem without a title', '{"status":502}'],
    ['a problem that is malformed', '{"title":1}'],
  ])('may have a body that is %s', async (_, text) => {
    const error = await errorOfAnswer({ status: 502, text });
    expect(error).toMatchObject({ name: 'ServiceFailedError', reason: '', problem: undefined });
  });

  test('gives no control characters to the terminal', async () => {
    const error = await errorOfAnswer({
      status: 400,
      json: { title: 'red \u001b[31m\r\nline', detail: 'x'.repeat(5000) },
    });
    expect(error.message).not.toMatch(/\p{C}/u);
    expect(error.message.length).toBeLessThan(1200);
  });
});

describe('a response', () => {
  test.each([
    ['not JSON', 'hello', 'no JSON'],
    ['not a job', '{"id":"a1"}', 'created_on'],
    ['of the wrong types', '{"id":1,"created_on":"secret words","status":2,"type":3}', '/id'],
  ])('that is %s is refused by an error without its contents', async (_, text, found) => {
    const error = await errorOfAnswer({ text });
    expect(error).toMatchObject({ name: 'ProtocolError', code: 'protocol' });
    expect(error.message).toContain(found);
    expect(error.message).not.toContain('secret');
  });

  test('that exceeds the limit is refused before it has arrived in full', async () => {
    const { url } = await rawServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
      const write = () => socket.writable && socket.write(chunk, write);
      write();
    });
    const client = createClient({ url, token: TOKEN, maxAnswerBytes: 1_000_000 });
    expect(await errorOf(client.account())).toMatchObject({ name: 'ProtocolError' });
  });
});

describe('a connection to a service', () => {
  test('that is refused is an UnreachableError', async () => {
    const service = await startHttpService(() => ({}));
    await service.close();
    const error = await errorOf(createClient({ url: service.url, token: TOKEN }).account());
    expect(error).toMatchObject({ name: 'UnreachableError', code: 'unreachable', retry: true });
    expect(error.message).toContain('ECONNREFUSED');
  });

  test.each<[string, string, (socket: Socket) => void]>([
    ['ends without a response', 'ConnectionLostError', socket => socket.end()],
    ['is reset', 'ConnectionLostError', socket => socket.resetAndDestroy()],
    [
      'breaks in the middle of the response',
      'ConnectionLostError',
      socket => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a"', () => socket.resetAndDestroy());
      },
    ],
    [
      'ends in the middle of the response',
      'ConnectionLostError',
      socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a"'),
    ],
    [
      'has no HTTP server at its end',
      'ProtocolError',
      socket => socket.end('220 mail.example.org ESMTP\r\n'),
    ],
  ])('that %s is a %s', async (_, name, act) => {
    const { url } = await rawServer(act);
    const client = createClient({ url, token: TOKEN });
    expect(await errorOf(client.account())).toMatchObject({ name });
  });

  test.each<[string, string]>([
    ['sends nothing', ''],
    ['stops in the middle of its response', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{'],
  ])('to a service that %s is closed after the timeout', async (_, said) => {
    const clock = new VirtualClock();
    let wasAsked = false;
    const { url } = await rawServer(socket => {
      wasAsked = true;
      socket.write(said);
    });
    const failed = errorOf(createClient({ url, token: TOKEN, clock, timeoutMs: 5000 }).account());
    await eventually(() => expect(wasAsked).toBe(true));
    await clock.advanceAsync(4000);
    await clock.advanceAsync(6000);
    expect(await failed).toMatchObject({ name: 'RequestTimeoutError', code: 'timeout', retry: true });
    expect(clock.pending).toBe(0);
  });

  test('is closed at once when the call or the client is aborted', async () => {
    let opened = 0;
    let closed = 0;
    const { url } = await rawServer(socket => {
      opened++;
      socket.on('close', () => closed++);
    });
    const ofClient = new AbortController();
    const ofCall = new AbortController();
    const client = createClient({ url, token: TOKEN, signal: ofClient.signal });
    const first = client.account({ signal: ofCall.signal });
    const second = client.account();
    const reason = new Error('enough');
    await eventually(() => expect(opened).toBe(2));
    ofCall.abort(reason);
    await expect(first).rejects.toBe(reason);
    ofClient.abort(reason);
    await expect(second).rejects.toBe(reason);
    await expect(client.transcription.get('a')).rejects.toBe(reason);
    await eventually(() => expect(closed).toBe(opened));
  });
});

describe('a token', () => {
  test.each(['', 'open sesame', 'line\nbreak', 'ü'])('"%s" is not sent', async token => {
    const service = await startHttpService(() => ({ json: {} }));
    const error = await createClient({ url: service.url, token })
      .account()
      .catch(thrown => thrown);
    expect(error).toMatchObject({ code: 'invalid-argument' });
    expect(error.message).not.toContain('sesame');
    expect(service.requests).toEqual([]);
  });

  test('whose function rejects is an error with that cause', async () => {
    const cause = new Error('vault is closed');
    const client = createClient({ url: 'http://127.0.0.1:1', token: () => Promise.reject(cause) });
    expect(await errorOf(client.account())).toMatchObject({ name: 'UnauthorizedError', cause });
  });
});

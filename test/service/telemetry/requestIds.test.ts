import { describe, expect, test } from 'vitest';
import { requestIdOf } from '../../../src/service/telemetry/requestId.ts';
import { rawRequest } from '../../helpers/rawConnection.ts';
import { connectStream } from '../../helpers/streamClient.ts';
import { request, startTestService } from '../../helpers/testService.ts';

const NEW_ID = /^[0-9A-Za-z]{14}$/;

describe('the id of a request', () => {
  test.each(['a', 'edge-1_2.3', 'x'.repeat(128)])('is that of the header when it is "%s"', id => {
    expect(requestIdOf({ headers: { 'x-request-id': id } })).toBe(id);
  });

  test.each(['', 'x'.repeat(129), 'a b', 'a\nb', 'a"b', 'é', 'a, b', '{}'])('is new instead of "%s"', id => {
    expect(requestIdOf({ headers: { 'x-request-id': id } })).toMatch(NEW_ID);
  });

  test('is new without the header, and never the same', () => {
    const ids = Array.from({ length: 100 }, () => requestIdOf({ headers: {} }));
    expect(new Set(ids).size).toBe(100);
  });
});

describe('an answer', () => {
  const headers = { 'x-request-id': 'edge-7' };

  test('has the id of its request, problems and refused handshakes included', async () => {
    const service = await startTestService();
    const answers = [
      await request(service, '/health/live', { headers }),
      await request(service, '/nothing', { headers }),
      await request(service, '/speechtotext/v1/account', { headers: { ...headers, authorization: '' } }),
    ];
    expect(answers.map(answer => [answer.status, answer.headers.get('x-request-id')])).toEqual([
      [200, 'edge-7'],
      [404, 'edge-7'],
      [401, 'edge-7'],
    ]);
    const port = Number(new URL(service.url).port);
    const handshake = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'X-Request-Id: edge-8'];
    for (const lines of [
      ['GET /elsewhere HTTP/1.1', ...handshake],
      ['GET /speechtotext/v1/stream HTTP/1.1', ...handshake, 'Sec-WebSocket-Version: 8'],
      ['GET /speechtotext/v1/stream HTTP/1.1', ...handshake, 'Sec-WebSocket-Version: 13'],
    ]) {
      expect(await rawRequest({ port }, ...(lines as [string]))).toMatch(/^X-Request-Id: edge-8\r$/m);
    }
  });

  test('to the handshake of a stream has its id', async () => {
    const service = await startTestService();
    const { socket } = connectStream(service);
    const answered = new Promise<string | string[] | undefined>(resolve =>
      socket.once('upgrade', ({ headers }) => resolve(headers['x-request-id'])),
    );
    expect(await answered).toMatch(NEW_ID);
  });
});

import { describe, expect, test } from 'vitest';
import { bodyOf, handshake, rawRequest } from '../../helpers/rawConnection.ts';
import { clientOf, RAW_16K } from '../../helpers/streamClient.ts';
import { request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

describe('an upgrade', () => {
  test.each([
    '/',
    '/speechtotext/v1',
    '/speechtotext/v1/stream/more',
    '/speechtotext/v1/jobs?a=b',
    '//',
    '*',
  ])('of %s is answered with a 404 over HTTP', async path => {
    const service = await startTestService();
    const answer = await rawRequest(service, ...handshake(path));
    expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    expect(answer).toMatch(/content-type: application\/problem\+json/i);
    expect(bodyOf(answer)).toEqual({
      title: 'This api is not supported in this deployment',
      status: 404,
      type: `${service.url}/errors/unsupported-api`,
      detail: expect.any(String),
    });
  });

  test('of the stream is not supported in the EU', async () => {
    const service = await startTestService({ region: 'eu' });
    const answer = await rawRequest(service, ...handshake('/speechtotext/v1/stream'));
    expect(bodyOf(answer)).toEqual({
      title: 'This api is not supported in this deployment',
      status: 404,
      type: `${service.url}/errors/unsupported-api`,
    });
  });

  test.each([
    ['a bad key', ['Sec-WebSocket-Key: x']],
    ['a bad subprotocol', ['Sec-WebSocket-Protocol: a,,b']],
  ])('with %s is a bad request', async (_, headers) => {
    const lines = handshake('/speechtotext/v1/stream').filter(
      line => !headers.some(header => header.startsWith(line.slice(0, 15))),
    );
    const answer = await rawRequest(await startTestService(), ...lines, ...headers);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(Object.keys(bodyOf(answer).parameter)).toEqual(['upgrade']);
  });

  test.each([['Sec-WebSocket-Version: 8'], ['Sec-WebSocket-Version: 14'], []])(
    'of another version than 13 gets the one to use (%s)',
    async (...headers) => {
      const lines = handshake('/speechtotext/v1/stream').filter(line => !line.includes('-Version'));
      const answer = await rawRequest(await startTestService(), ...lines, ...headers);
      expect(answer).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/);
      expect(answer).toMatch(/\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n/);
      expect(bodyOf(answer)).toEqual({
        title: 'Upgrade Required',
        status: 426,
        detail: 'The WebSocket version must be 13.',
      });
    },
  );

  test.each(['?', '/?'])(
    'of the stream may have "%s" before its query, and a query that is not encoded',
    async joint => {
      const service = await startTestService();
      const address = `${service.url.replace('http', 'ws')}/speechtotext/v1/stream${joint}`;
      const client = clientOf(`${address}access_token=${TEST_TOKEN}&content_type=${RAW_16K}&&x=%zz&=`);
      expect(await client.connected).toMatch(/^[0-9A-Za-z]{12,16}$/);
    },
  );
});

describe('the stream without an upgrade', () => {
  test('is a bad request', async () => {
    const { status, json } = await request(
      await startTestService(),
      '/speechtotext/v1/stream?access_token=x',
    );
    expect(status).toBe(400);
    expect(json().parameter).toEqual({ upgrade: ['expected a WebSocket handshake'] });
    expect(json().parameters).toEqual(json().parameter);
  });

  test('is also what an upgrade to another protocol gets', async () => {
    const lines = handshake('/speechtotext/v1/stream').map(line => line.replace('websocket', 'h2c'));
    const answer = await rawRequest(
      await startTestService(),
      ...lines.map(line => line.replace('Upgrade', 'Upgrade, close')),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });
});

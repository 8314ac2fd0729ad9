import { pino } from 'pino';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { STREAM_PATH } from '../../../src/protocol/interfaceNames.ts';
import { request, startTestService } from '../../helpers/testService.ts';

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

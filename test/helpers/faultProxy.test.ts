import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { VirtualClock } from '../../src/replay/time/virtualClock.ts';
import type { FaultPlan } from './faultPlan.ts';
import { startFaultProxy } from './faultProxy.ts';
import { startStreamService } from './streamService.ts';

/** A service that echoes its input. */
async function startEcho() {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, socket => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

/** A client that keeps its input, and the reason of its end. */
function clientOf(port: number) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let text = '';
  const { promise: end, resolve } = Promise.withResolvers<string>();
  socket.on('error', error => resolve(String((error as NodeJS.ErrnoException).code)));
  socket.on('end', () => resolve('FIN'));
  socket.on('data', data => {
    text += data;
  });
  const received = async (length: number) => {
    while (text.length < length) await once(socket, 'data');
    return text;
  };
  return { socket, end, received, text: () => text };
}

async function echoThrough(plan: FaultPlan, clock = new VirtualClock()) {
  const echo = await startEcho();
  const proxy = await startFaultProxy(echo, plan, { clock });
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return { echo, proxy, client: clientOf(proxy.port), clock };
}

describe('a connection', () => {
  test('without a plan is passed on both ways, its end included', async () => {
    const { client } = await echoThrough([]);
    client.socket.write('hello');
    expect(await client.received(5)).toBe('hello');
    client.socket.end(' world');
    expect(await client.end).toBe('FIN');
    expect(client.text()).toBe('hello world');
  });

  test('passes much in both directions without holding all of it', async () => {
    const { client } = await echoThrough([]);
    client.socket.end('x'.repeat(20_000_000));
    expect(await client.end).toBe('FIN');
    expect(client.text()).toHaveLength(20_000_000);
  });

  test('has the plan of its turn', async () => {
    const { proxy, client } = await echoThrough([{ kind: 'refuse' }, [{ kind: 'end' }]]);
    expect(await client.end).toBe('ECONNRESET');
    expect(await clientOf(proxy.port).end).toBe('FIN');
    const third = clientOf(proxy.port);
    third.socket.write('hello');
    expect(await third.received(5)).toBe('hello');
    expect(proxy.connections).toBe(3);
  });

  test('is cut after the byte that was planned, on both sides', async () => {
    const { client, echo } = await echoThrough([[{ kind: 'cut', after: { bytesDown: 3 } }]]);
    client.socket.write('hello');
    expect(await client.end).toBe('ECONNRESET');
    expect(client.text()).toBe('hel');
    expect(echo.sockets[0]!.destroyed || (await once(echo.sockets[0]!, 'close'))).toBeTruthy();
  });

  test('is ended after the byte that was planned', async () => {
    const { client } = await echoThrough([[{ kind: 'end', after: { bytesUp: 2, bytesDown: 2 } }]]);
    client.socket.write('he');
    expect(await client.end).toBe('FIN');
    expect(client.text()).toBe('he');
  });

  test.each([
    ['swallowUp', 'hel'],
    ['swallowDown', 'hel'],
    ['halfOpen', 'hel'],
  ] as const)('that is to %s says nothing more and does not end', async (kind, heard) => {
    const count = kind === 'swallowUp' ? 'bytesUp' : 'bytesDown';
    const { client, echo } = await echoThrough([[{ kind, after: { [count]: 3 } }]]);
    client.socket.write('hello');
    expect(await client.received(3)).toBe(heard);
    client.socket.end('more');
    // The service that hears all still gets the end; the client hears of none.
    if (kind === 'swallowDown') await once(echo.sockets[0]!, 'end');
    expect(await Promise.race([client.end, new Promise(resolve => setImmediate(resolve))])).toBeUndefined();
    expect(client.text()).toBe(heard);
  });

  test.each([
    ['is delayed', { kind: 'delay', ms: 500 }],
    ['is throttled', { kind: 'throttle', bytesPerSecond: 10 }],
  ] as const)('that %s takes so much longer in each direction', async (_, fault) => {
    const { client, clock } = await echoThrough([[fault]]);
    client.socket.write('hello');
    for (let direction = 0; direction < 2; direction++) {
      await expect.poll(() => clock.pending).toBe(1);
      clock.advance(499);
      expect(clock.pending).toBe(1);
      expect(client.text()).toBe('');
      clock.advance(1);
    }
    expect(await client.received(5)).toBe('hello');
  });

  test('is cut when somebody says so, and the next one is not', async () => {
    const { client, proxy } = await echoThrough([]);
    client.socket.write('hello');
    await client.received(5);
    proxy.cut();
    expect(await client.end).toBe('ECONNRESET');
    const next = clientOf(proxy.port);
    next.socket.write('again');
    expect(await next.received(5)).toBe('again');
  });

  test('is reset when there is no service', async () => {
    const gone = await startFaultProxy({ port: 1 }, []);
    await gone[Symbol.asyncDispose]();
    await using proxy = await startFaultProxy(gone, []);
    expect(await clientOf(proxy.port).end).toBe('ECONNRESET');
  });
});

describe('a stream', () => {
  const messages = ['one', 'two', 'three'];

  /** Input of a client from a service that sends three messages and a long one, then closes. */
  async function hear(plan: FaultPlan) {
    await using service = await startStreamService(peer => {
      peer.say(...messages, 'x'.repeat(70_000));
      peer.socket.close(1000);
    });
    await using proxy = await startFaultProxy({ port: Number(new URL(service.url).port) }, plan);
    const socket = new WebSocket(proxy.url);
    const heard: string[] = [];
    let status: number | undefined;
    socket.on('message', data => heard.push(String(data)));
    socket.on('error', () => {});
    socket.on('unexpected-response', (_, response) => {
      status = response.statusCode;
      socket.terminate();
    });
    // `once` would reject with an error that comes before.
    const { promise: closed, resolve } = Promise.withResolvers<{ code: number; reason: string }>();
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
    return { ...(await closed), heard, status };
  }

  const LONG = expect.stringMatching(/^x{70000}$/);
  const CLOSE = { kind: 'closeCode', code: 4013, reason: 'No instance available' } as const;
  const TURNED_AWAY = { code: 4013, reason: 'No instance available' };
  test.each<[string, FaultPlan, object]>([
    ['is whole without a plan', [], { heard: [...messages, LONG], code: 1000 }],
    [
      'is cut after the planned message',
      [[{ kind: 'cut', after: { messagesDown: 2 } }]],
      { heard: ['one', 'two'], code: 1006 },
    ],
    ['is closed with a code at once', [[CLOSE]], { heard: [], ...TURNED_AWAY }],
    [
      'is closed with a code after the planned message',
      [[{ ...CLOSE, after: { messagesDown: 3 } }]],
      { heard: messages, ...TURNED_AWAY },
    ],
    [
      'is closed with a code after the message of the planned byte',
      [[{ ...CLOSE, after: { bytesDown: 1000 } }]],
      { heard: [...messages, LONG], ...TURNED_AWAY },
    ],
    [
      'is cut in the middle of a frame',
      [[{ kind: 'truncate', after: { messagesDown: 3 } }]],
      { heard: messages, code: 1006 },
    ],
    ['gets an HTTP status instead', [{ kind: 'httpStatus', status: 503 }], { heard: [], status: 503 }],
  ])('%s', async (_, plan, expected) => {
    expect(await hear(plan)).toMatchObject(expected);
  });
});

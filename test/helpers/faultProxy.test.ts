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

  test('that is delayed is so much later', async () => {
    const { client, clock } = await echoThrough([[{ kind: 'delay', ms: 500 }]]);
    client.socket.write('hello');
    await expect.poll(() => clock.pending).toBe(1);
    clock.advance(499);
    expect(clock.pending).toBe(1);
    clock.advance(1);
    await expect.poll(() => clock.pending).toBe(1);
    expect(client.text()).toBe('');
    clock.advance(500);
    expect(await client.received(5)).toBe('hello');
  });

  test('that is throttled takes the time of its bytes', async () => {
    const { client, clock } = await echoThrough([[{ kind: 'throttle', bytesPerSecond: 10 }]]);
    client.socket.write('hello');
    await expect.poll(() => clock.pending).toBe(1);
    clock.advance(500);
    await expect.poll(() => clock.pending).toBe(1);
    clock.advance(500);
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

  test('without a plan is whole', async () => {
    const { heard, code } = await hear([]);
    expect(heard.map(text => text.length)).toEqual([3, 3, 5, 70_000]);
    expect(code).toBe(1000);
  });

  test('is cut behind the message that was planned', async () => {
    const { heard, code } = await hear([[{ kind: 'cut', after: { messagesDown: 2 } }]]);
    expect(heard).toEqual(['one', 'two']);
    expect(code).toBe(1006);
  });

  test('is closed with a code behind a whole message, wherever the bytes say', async () => {
    const said = { kind: 'closeCode', code: 4013, reason: 'No instance available' } as const;
    const late = await hear([[{ ...said, after: { messagesDown: 3 } }]]);
    expect(late).toMatchObject({ heard: messages, code: 4013, reason: 'No instance available' });
    const later = await hear([[{ ...said, after: { bytesDown: 1000 } }]]);
    expect(later).toMatchObject({ heard: [...messages, expect.any(String)], code: 4013 });
    expect(await hear([[said]])).toMatchObject({ heard: [], code: 4013 });
  });

  test('is cut in the middle of a frame', async () => {
    const { heard, code } = await hear([[{ kind: 'truncate', after: { messagesDown: 3 } }]]);
    expect(heard).toEqual(messages);
    expect(code).toBe(1006);
  });

  test('gets an answer of HTTP instead', async () => {
    expect(await hear([{ kind: 'httpStatus', status: 503 }])).toMatchObject({ status: 503, heard: [] });
  });
});

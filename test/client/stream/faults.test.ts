import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { concat, NEVER, of, Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { AudioBlock } from '../../../src/audio/format/format.ts';
import { STREAM_DEFAULTS } from '../../../src/client/stream/options.ts';
import { CLOSE } from '../../../src/protocol/closeCodes.ts';
import { MAX_MESSAGE_BYTES } from '../../../src/protocol/limits.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { blockAt } from '../../helpers/streamBlocks.ts';
import { streamRun } from '../../helpers/streamRun.ts';
import {
  connectedMessage,
  endPolitely,
  finalMessage,
  type StreamPeer,
  startStreamService,
} from '../../helpers/streamService.ts';

/** Audio that goes on. */
const endless = concat(of(blockAt(0, 1600)), NEVER);
const short = of(blockAt(0, 1600));

/** A TCP server that treats each connection so. */
async function startTcp(behave: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => {}));
    behave(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('a service that closes', () => {
  test.each(Object.entries(CLOSE).filter(([name]) => name !== 'endOfInput'))(
    'with the code of %s fails the result with its error',
    async (_, rule) => {
      await using service = await startStreamService(async peer => {
        peer.say(connectedMessage);
        await peer.bytes(1);
        peer.say(finalMessage('kept', 0, 1));
        peer.close(rule);
      });
      const clock = new VirtualClock();
      const run = streamRun(endless, { url: service.url, clock });
      expect(await run.end).toMatchObject({ closeCode: rule.code, reason: rule.reason, retry: rule.retry });
      expect(run.said.at(-1)).toMatchObject({ type: 'final', elements: [{ value: 'kept' }] });
      expect(run.statusTypes.slice(-2)).toEqual(['closed', 'failed']);
      expect(clock.pending).toBe(0);
    },
  );

  test('before `connected` fails the result', async () => {
    await using service = await startStreamService(peer => peer.close(CLOSE.noInstance));
    expect(await streamRun(endless, { url: service.url }).end).toMatchObject({ name: 'NoInstanceError' });
  });

  test('as at the end of the input, before that end, fails the result', async () => {
    await using service = await startStreamService(peer => peer.close(CLOSE.endOfInput));
    expect(await streamRun(endless, { url: service.url }).end).toMatchObject({
      name: 'ConnectionLostError',
      closeCode: 1000,
    });
  });

  test('without a code fails the result', async () => {
    await using service = await startStreamService(peer => peer.socket.close());
    expect(await streamRun(endless, { url: service.url }).end).toMatchObject({ closeCode: 1005 });
  });

  test('without closing the TCP connection ends the result', async () => {
    await using service = await startStreamService(async peer => {
      peer.say(connectedMessage);
      await peer.endOfStream();
      // A close frame of code 1000, by hand: ws itself would also end the connection.
      peer.tcp.write(Buffer.from([0x88, 2, 0x03, 0xe8]));
      peer.tcp.pause();
    });
    expect(await streamRun(short, { url: service.url }).end).toBeUndefined();
  });

  test.each(['destroy', 'resetAndDestroy', 'end'] as const)(
    'by tearing the connection (%s) fails the result',
    async tear => {
      await using service = await startStreamService(async peer => {
        peer.say(connectedMessage);
        await peer.bytes(1);
        peer.tcp[tear]();
      });
      const run = streamRun(endless, { url: service.url });
      expect(await run.end).toMatchObject({ name: 'ConnectionLostError', closeCode: 1006, retry: true });
    },
  );
});

describe('a stream fails with an error that names the cause', () => {
  test('when nothing listens at the address', async () => {
    const gone = await startTcp(() => {});
    await gone[Symbol.asyncDispose]();
    for (const host of ['127.0.0.1', 'localhost']) {
      const run = streamRun(endless, { url: `http://${host}:${gone.port}` });
      const error = await run.end;
      expect(error).toMatchObject({ name: 'UnreachableError', retry: true });
      expect((error as Error).message).toContain('ECONNREFUSED');
      expect(run.statusTypes).toEqual(['connecting', 'failed']);
    }
  });

  test('when the server accepts connections and never answers', async () => {
    await using silent = await startTcp(() => {});
    const clock = new VirtualClock();
    const run = streamRun(endless, { url: silent.url, clock });
    await run.until('connecting');
    clock.advance(STREAM_DEFAULTS.connectTimeoutMs - 1);
    expect(run.statusTypes).toEqual(['connecting']);
    clock.advance(1);
    expect(await run.end).toMatchObject({ name: 'StreamTimeoutError' });
    expect(clock.pending).toBe(0);
  });

  test('when the server closes connections without an answer', async () => {
    await using rude = await startTcp(socket => socket.destroy());
    expect(await streamRun(endless, { url: rude.url }).end).toMatchObject({ name: 'UnreachableError' });
  });

  test('when the server does not speak HTTP', async () => {
    await using mail = await startTcp(socket => socket.end('220 mail.example ESMTP\r\n'));
    expect(await streamRun(endless, { url: mail.url }).end).toMatchObject({ name: 'UnreachableError' });
  });

  test.each([
    [200, 'UnreachableError'],
    [301, 'UnreachableError'],
    [400, 'BadRequestError'],
    [401, 'UnauthorizedError'],
    [403, 'UnauthorizedError'],
    [404, 'UnreachableError'],
    [500, 'ServiceFailedError'],
    [503, 'NoInstanceError'],
  ])('when an HTTP server answers %i', async (httpStatus, name) => {
    await using server = await startTcp(socket =>
      socket.once('data', () =>
        socket.end(`HTTP/1.1 ${httpStatus} So It Is\r\nLocation: /\r\nContent-Length: 0\r\n\r\n`),
      ),
    );
    expect(await streamRun(endless, { url: server.url }).end).toMatchObject({
      name,
      httpStatus,
      reason: 'So It Is',
    });
  });

  test('when an HTTP server never ends its answer', async () => {
    const server = createHttpServer((_, response) => response.writeHead(404).write('x'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const run = streamRun(endless, { url: `http://127.0.0.1:${port}` });
    expect(await run.end).toMatchObject({ name: 'UnreachableError', httpStatus: 404 });
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
});

describe('a service that is silent', () => {
  test('before `connected` gets the time that the query asks for', async () => {
    await using service = await startStreamService(() => {});
    const clock = new VirtualClock();
    const options = { clock, maxConnectionWaitSeconds: 120, pingIntervalMs: 1e9 };
    const run = streamRun(endless, { url: service.url, ...options });
    await run.until('open');
    clock.advance(120_000);
    expect(run.statusTypes).not.toContain('failed');
    clock.advance(STREAM_DEFAULTS.readyMarginMs);
    expect(await run.end).toMatchObject({ name: 'StreamTimeoutError', code: 'timeout' });
    expect(await service.peers[0]!.closed).toBe(1000);
    expect(clock.pending).toBe(0);
  });

  test('after the end of the audio loses no final that has come', async () => {
    await using service = await startStreamService(async peer => {
      peer.say(connectedMessage);
      await peer.endOfStream();
      peer.say(finalMessage('kept', 0, 1));
    });
    const clock = new VirtualClock();
    const run = streamRun(short, { url: service.url, clock, pingIntervalMs: 1e9 });
    await run.until('connected');
    await run.untilEvents(2);
    clock.advance(STREAM_DEFAULTS.finalTimeoutMs - 1);
    service.peers[0]!.say(finalMessage('kept too', 1, 2));
    await run.untilEvents(3);
    clock.advance(STREAM_DEFAULTS.finalTimeoutMs - 1);
    expect(run.statusTypes).not.toContain('failed');
    clock.advance(1);
    expect(await run.end).toMatchObject({ name: 'StreamTimeoutError' });
    expect(run.said.map(event => event.type)).toEqual(['connected', 'final', 'final']);
  });

  test('also at a ping is left', async () => {
    await using service = await startStreamService(peer => peer.say(connectedMessage));
    const clock = new VirtualClock();
    const run = streamRun(endless, { url: service.url, clock });
    await run.until('connected');
    service.peers[0]!.tcp.pause();
    clock.advance(STREAM_DEFAULTS.pingIntervalMs + STREAM_DEFAULTS.pongTimeoutMs);
    expect(run.statusTypes).not.toContain('failed');
    // The audio that may have to be read before the ping lasts 100 ms.
    clock.advance(100);
    // An answer may wait in the socket for a moment.
    clock.advance(50);
    expect(await run.end).toMatchObject({ name: 'ConnectionLostError', retry: true });
    expect(clock.pending).toBe(0);
  });

  test('except for pongs is kept', async () => {
    await using service = await startStreamService(peer => {
      peer.say(connectedMessage);
      // Sent after the answer, which ws gives first: when it is there, so is the answer.
      peer.socket.on('ping', () => peer.say({ type: 'news' }));
    });
    const clock = new VirtualClock();
    const run = streamRun(endless, { url: service.url, clock });
    await run.until('connected');
    for (let i = 0; i < 10; i++) {
      clock.advance(STREAM_DEFAULTS.pingIntervalMs);
      await run.until('warning', i + 1);
    }
    expect(run.statusTypes).not.toContain('failed');
    run.subscription.unsubscribe();
    expect(clock.pending).toBe(0);
  });
});

describe('a service that sends invalid messages', () => {
  const binary = Buffer.from([1, 2, 3]);

  test.each([
    ['malformed JSON', '{"type":"final"', 'malformed-message'],
    ['no object', 'null', 'malformed-message'],
    ['an empty text', '', 'malformed-message'],
    ['fields of the wrong shape', { type: 'final', ts: 0 }, 'malformed-message'],
    ['an unknown type', { type: 'advertisement' }, 'unknown-message'],
    ['connected again', connectedMessage, 'repeated-connected'],
    ['a binary frame', binary, 'binary-message'],
    ['a final that ends before it starts', finalMessage('kept', 2, 1), 'corrected-final'],
    ['a long message', `"${'x'.repeat(MAX_MESSAGE_BYTES - 2)}"`, 'malformed-message'],
  ])('(%s) is warned of, and the stream goes on to its end', async (_, message, code) => {
    await using service = await startStreamService(peer => {
      peer.say(connectedMessage);
      if (message === binary) peer.socket.send(binary);
      else peer.say(message);
      return endPolitely(peer);
    });
    const run = streamRun(short, { url: service.url });
    expect(await run.end).toBeUndefined();
    expect(run.statuses.filter(status => status.type === 'warning')).toMatchObject([{ code }]);
    expect(run.said.at(-1)).toMatchObject({ type: 'final', elements: [{ value: 'done' }] });
    expect(run.said).toHaveLength(code === 'corrected-final' ? 3 : 2);
  });

  test.each([
    ['a message that is too long', (peer: StreamPeer) => peer.say('x'.repeat(MAX_MESSAGE_BYTES + 1))],
    ['a text that is no UTF-8', (peer: StreamPeer) => peer.tcp.write(Buffer.from([0x81, 1, 0xff]))],
    ['a frame that is none', (peer: StreamPeer) => peer.tcp.write(Buffer.from([0xff, 0xff, 0xff]))],
  ])('(%s) ends the stream', async (_, misbehave) => {
    await using service = await startStreamService(peer => {
      peer.say(connectedMessage);
      misbehave(peer);
    });
    const run = streamRun(endless, { url: service.url });
    expect(await run.end).toMatchObject({ name: 'ProtocolError', code: 'protocol' });
    expect(run.said.map(event => event.type)).toEqual(['connected']);
  });

  test('causes no error or warning with words of the transcript', async () => {
    await using service = await startStreamService(peer => {
      peer.say(connectedMessage, '{"type":"final","elements":[{"value":"secret words"}');
      peer.say({ type: 'final', ts: 0, end_ts: 1, elements: [{ type: 'text', value: 7, x: 'secret' }] });
    });
    const run = streamRun(endless, { url: service.url });
    await run.until('warning', 2);
    expect(JSON.stringify(run.statuses)).not.toContain('secret');
    run.subscription.unsubscribe();
  });
});

test('a stream that failed takes no more audio and holds no source', async () => {
  await using service = await startStreamService(peer => peer.close(CLOSE.outOfCredit));
  const source = new Subject<AudioBlock>();
  const run = streamRun(source, { url: service.url });
  source.next(blockAt(0, 1600));
  expect(await run.end).toMatchObject({ name: 'OutOfCreditError' });
  expect(source.observed).toBe(false);
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { transcribe } from '../../../../src/client/stream/transcribe.ts';
import type { Cassette } from '../../../../src/replay/cassette/cassette.ts';
import type { FaultSchedule } from '../../../../src/replay/play/faults/faultSchedule.ts';
import { FAULT_SERVER_LIMITS } from '../../../../src/replay/play/server/faultServer.ts';
import { playServer } from '../../../../src/replay/play/server/playServer.ts';
import { playSource } from '../../../../src/replay/play/source/playSource.ts';
import { bareSession, RAW_8000 } from '../../../helpers/bareClient.ts';
import { cassetteFrames } from '../../../helpers/cassetteFrames.ts';
import { madeCassette } from '../../../helpers/madeCassette.ts';
import { playedServer } from '../../../helpers/playedServer.ts';

const CASSETTE = madeCassette({ seconds: 6 });

/** Recorded text frames of the service. */
const recordedTexts = ({ lines }: Cassette) =>
  lines.flatMap(line => (line.type === 'message' ? [JSON.stringify(line.message)] : []));

describe('a service that plays a cassette', () => {
  test('sends the recorded messages, byte by byte and in order', async () => {
    const server = await playedServer(CASSETTE);
    const session = await bareSession(server, { send: await cassetteFrames(CASSETTE) });
    expect(session).toEqual({ texts: recordedTexts(CASSETTE), code: 1000, reason: 'End of input. Closing' });
    server.check();
  });

  test('responds to the received audio, whatever its frames', async () => {
    const server = await playedServer(CASSETTE);
    const frames = await cassetteFrames(CASSETTE);
    const audio = Buffer.concat(frames.filter(frame => typeof frame !== 'string'));
    const oddPieces = [audio.subarray(0, 1), audio.subarray(1, 12_345), audio.subarray(12_345), 'EOS'];
    expect((await bareSession(server, { send: oddPieces })).texts).toEqual(recordedTexts(CASSETTE));
    server.check();
  });

  test('sends nothing for audio that has not arrived', async () => {
    const server = await playedServer(CASSETTE);
    const frames = await cassetteFrames(CASSETTE);
    // Two seconds, which the first final covers.
    const { texts } = await bareSession(server, { send: [...frames.slice(0, 20), 'EOS'] });
    expect(texts).toEqual(recordedTexts(CASSETTE).slice(0, 1 + 4));
  });

  test('responds by time, at another sample rate', async () => {
    const server = await playedServer(CASSETTE, { match: { query: false } });
    const content_type = RAW_8000.replace('8000', '16000');
    const send = [new Uint8Array(6 * 16_000 * 2), 'EOS'];
    expect((await bareSession(server, { query: { content_type }, send })).texts).toEqual(
      recordedTexts(CASSETTE),
    );
    server.check();
  });

  test('responds to a WAV stream', async () => {
    const server = await playedServer(CASSETTE, { match: { query: false } });
    const send: (Uint8Array | string)[] = [];
    for await (const piece of CASSETTE.audio!.bytes()) send.push(piece);
    const query = { content_type: 'audio/x-wav' };
    const { texts } = await bareSession(server, { query, send: [...send, 'EOS'] });
    expect(texts).toEqual(recordedTexts(CASSETTE));
    server.check();
    const noise = await bareSession(server, { query, send: [new Uint8Array(100), 'EOS'] });
    expect([noise.code, noise.reason]).toEqual([4002, expect.stringContaining('WAV')]);
  });

  test('responds to a client that waits before it sends audio', async () => {
    const cassette = madeCassette({ seconds: 2 });
    // The recorded client had sent three blocks by then.
    const late = cassette.lines.toSpliced(3, 1).toSpliced(9, 0, cassette.lines[3]!);
    const server = await playedServer({ ...cassette, lines: late });
    const socket = new WebSocket(`${server.url}?content_type=${RAW_8000}&access_token=${server.token}`);
    const [data] = await once(socket, 'message');
    expect(JSON.parse(data.toString())).toMatchObject({ type: 'connected' });
    socket.terminate();
  });

  test.each([1, 4, 'max'] as const)('sends a client in lock step the same at speed %s', async speed => {
    const cassette = madeCassette({ seconds: 2, finalSeconds: 1 });
    const server = await playedServer(cassette);
    const events: string[] = [];
    const live = transcribe({ url: server.url, token: server.token });
    await playSource(cassette, { server, speed })
      .pipe(live)
      .forEach(event => {
        events.push(event.type);
      });
    expect(events).toEqual(['connected', 'partial', 'silence', 'final', 'partial', 'partial', 'final']);
    server.check();
  });
});

describe('its listener', () => {
  test('is on the loopback address', async () => {
    const server = await playedServer(CASSETTE);
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
  });

  test.each(['', 'wrong'])('refuses the token "%s"', async token => {
    const server = await playedServer(CASSETTE);
    expect(await bareSession(server, { token })).toEqual({ texts: [], code: 4001, reason: 'Unauthorized' });
    expect(server.mismatches).toEqual([]);
  });

  test('refuses an invalid query with a reason', async () => {
    const server = await playedServer(CASSETTE);
    const { code, reason } = await bareSession(server, { query: { content_type: 'audio/nonsense' } });
    expect([code, reason]).toEqual([4002, expect.stringContaining('content_type')]);
    const flac = await bareSession(server, { query: { content_type: 'audio/x-flac' } });
    expect([flac.code, flac.reason]).toEqual([4002, expect.stringContaining('not to FLAC')]);
  });

  test('has no other paths', async () => {
    const server = await playedServer(CASSETTE);
    const http = server.url.replace('ws:', 'http:');
    expect((await fetch(http)).status).toBe(400);
    expect((await fetch(new URL('/etc/passwd', http))).status).toBe(404);
    for (const path of ['/', '//evil/speechtotext/v1/stream', '/speechtotext/v1/stream/../x', '/%2e%2e/']) {
      const { port } = new URL(server.url);
      const tcp = connect(Number(port), '127.0.0.1');
      tcp.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      );
      const [answer] = await once(tcp, 'data');
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 404 /);
      tcp.destroy();
    }
  });

  test('closes the connection after an unknown text frame', async () => {
    const server = await playedServer(CASSETTE);
    expect((await bareSession(server, { send: ['hello'] })).code).toBe(1007);
  });

  test('limits the length of frames', async () => {
    const server = await playedServer(CASSETTE, { match: { audio: false } });
    const frame = Buffer.alloc(FAULT_SERVER_LIMITS.messageBytes);
    expect((await bareSession(server, { send: [frame, 'EOS'] })).code).toBe(1000);
    expect((await bareSession(server, { send: [Buffer.alloc(frame.length + 1)] })).code).toBe(1009);
  });

  test('fails at an address in use', async () => {
    const port = Number(new URL((await playedServer(CASSETTE)).url).port);
    await expect(playServer(CASSETTE, { port })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(`^Cannot listen on '127.0.0.1', port ${port}: `),
    });
  });

  test('refuses faults that cannot happen', async () => {
    const faults = [[{ kind: 'close', code: 1006 }]] as const;
    await expect(playServer(CASSETTE, { faults })).rejects.toThrow(
      "Fault 'close' of connection 1 cannot be used: a service must not send the code 1006.",
    );
  });

  test.each([
    [{ kind: 'cutt' }, "'cutt' of connection 2 cannot be used: the kind must be one of cut, half-open, "],
    [{ kind: 'toString' }, "'toString' of connection 2 cannot be used: the kind must be one of cut, "],
    [{ kind: 'delay' }, 'fields must have required properties ms.'],
    [{ kind: 'delay', ms: Number.NaN }, 'ms must be number.'],
    [{ kind: 'delay', ms: 1, jitter_ms: 1 }, "'jitter_ms' is not known (known: "],
    [
      { kind: 'cut', afterSecond: 1 },
      "'afterSecond' is not known (known: kind, afterSeconds, afterMessages).",
    ],
    [{ kind: 'reorder', messages: 1 }, 'messages must be >= 2.'],
    [{ kind: 'http-status', status: 101 }, 'status must be >= 200.'],
    [
      { kind: 'close', code: 4000, reason: 'ü'.repeat(62) },
      'the reason must have 123 bytes at most, not 124.',
    ],
  ])('refuses an unknown or incomplete fault: %o', async (fault, message) => {
    const faults = [[], [fault]] as unknown as FaultSchedule;
    const refused = expect(playServer(CASSETTE, { faults })).rejects;
    await refused.toMatchObject({ code: 'invalid-argument', message: expect.stringContaining(message) });
  });
});

test('closing ends all connections and leaves no handles', async () => {
  const handles = () => process.getActiveResourcesInfo().filter(name => /TCP|Timeout/.test(name)).length;
  const before = handles();
  const server = await playServer(CASSETTE, { faults: [[{ kind: 'delay', ms: 60_000 }]] });
  const half = connect(Number(new URL(server.url).port), '127.0.0.1');
  half.on('error', () => {});
  const session = bareSession(server, { send: (await cassetteFrames(CASSETTE)).slice(0, 30) });
  await server.connected(new AbortController().signal);
  const halfClosed = once(half, 'close');
  await server.close();
  await server.close();
  expect((await session).code).toBe(1006);
  half.destroy();
  await halfClosed;
  await new Promise(resolve => setImmediate(resolve));
  expect(handles()).toBeLessThanOrEqual(before);
  await expect(fetch(server.url.replace('ws:', 'http:'))).rejects.toThrow();
});

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { STREAM_PATH } from '../../../src/protocol/interfaceNames.ts';
import { LIMIT_DEFAULTS } from '../../../src/service/limits.ts';
import { Connection } from '../../../src/service/live/connection.ts';
import { canReadMemory, growthDuring } from '../../helpers/processMemory.ts';
import { handshake, rawConnection } from '../../helpers/rawConnection.ts';
import { type ServiceProcess, startServiceProcess } from '../../helpers/serviceProcess.ts';
import { RAW_16K } from '../../helpers/streamClient.ts';
import { TEST_TOKEN } from '../../helpers/testService.ts';

const MIB = 1024 * 1024;
const BLOCK = Buffer.alloc(MIB);
const PLANAR = RAW_16K.replace('interleaved', 'non-interleaved');

/** Opens a stream up to its handshake, for a client that breaks the rules. */
async function openRaw(
  service: { readonly port: number },
  { token = TEST_TOKEN, contentType = RAW_16K } = {},
): Promise<Socket> {
  const socket = await rawConnection(service);
  const query = new URLSearchParams({ access_token: token, content_type: contentType });
  socket.write(`${handshake(`${STREAM_PATH}?${query}`).join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  socket.resume();
  return socket;
}

/** Returns the head of a frame, masked with zeros. */
function frameHead(opcode: number, length: number): Buffer {
  const head = Buffer.alloc(14);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** Writes blocks while they are read, up to a number of bytes; resolves when nothing has moved for a second. */
async function pour(socket: Socket, bytes: number): Promise<void> {
  for (let sent = 0; sent < bytes && socket.writable; sent += BLOCK.length) {
    if (socket.write(BLOCK)) continue;
    const moved = once(socket, 'drain', { signal: AbortSignal.timeout(1000) }).then(
      () => true,
      () => false,
    );
    if (!(await moved)) return;
  }
}

async function startProcess(): Promise<ServiceProcess & { readonly port: number }> {
  const service = await startServiceProcess({ token: TEST_TOKEN, logLevel: 'silent' });
  return { ...service, pid: service.pid, port: Number(new URL(service.url).port) };
}

/** Returns the MiB by which the memory of a service grows during an attack, which it must survive. */
async function growthBy(
  attack: (service: { port: number; url: string }) => Promise<unknown>,
): Promise<number> {
  const service = await startProcess();
  await vi.waitFor(async () => expect((await fetch(`${service.url}/health/ready`)).status).toBe(200), 30_000);
  const growth = await growthDuring(service.pid, () => attack(service));
  expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
  return growth;
}

describe.runIf(canReadMemory)('the memory of a service', { tags: 'slow' }, () => {
  test('cannot be used up without a token', async () => {
    const growth = await growthBy(async service => {
      const sockets = await Promise.all(
        Array.from({ length: 24 }, () => openRaw(service, { token: 'wrong' })),
      );
      await Promise.all(
        sockets.map(async socket => {
          socket.write(frameHead(2, 64 * MIB));
          await pour(socket, 63 * MIB);
        }),
      );
    });
    expect(growth).toBeLessThan(150);
  });

  test.each([
    ['interleaved', RAW_16K],
    ['planar', PLANAR],
  ])(
    'holds little of long messages of %s audio',
    async (_, contentType) => {
      const growth = await growthBy(async service => {
        const sockets = await Promise.all(Array.from({ length: 8 }, () => openRaw(service, { contentType })));
        await Promise.all(
          sockets.map(async socket => {
            for (let message = 0; message < 2; message++) {
              socket.write(frameHead(2, 60 * MIB));
              await pour(socket, 60 * MIB);
            }
          }),
        );
      });
      // Assembled messages would take at least 480 MiB; the garbage of reading takes up to 360.
      expect(growth).toBeLessThan(420);
    },
    60_000,
  );
});

/** Maximum bytes that a connection reads before others are served: its buffer, and what arrived since. */
const TURN_BYTES = 256 * 1024;

describe('a flood', () => {
  test.each([
    ['empty messages', Buffer.from([0x82, 0x80, 0, 0, 0, 0])],
    ['pongs', Buffer.from([0x8a, 0x80, 0, 0, 0, 0])],
  ])('of %s does not block the event loop', async (_, frame) => {
    const { client, connection } = await connectedPair();
    client.write(Buffer.concat(new Array(MIB).fill(frame)));
    connection.open({ onAudio: () => {}, onFault: () => {} });
    let read = connection.bytesRead;
    while (read < 6 * MIB) {
      await setImmediate();
      expect(connection.bytesRead - read).toBeLessThanOrEqual(TURN_BYTES);
      read = connection.bytesRead;
    }
  });
});

/** Returns both ends of a TCP connection, one of them as used by the service. */
async function connectedPair(): Promise<{ client: Socket; connection: Connection }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = await accepted;
  const connection = new Connection(socket, new Uint8Array(0), LIMIT_DEFAULTS.stream.messageBytes);
  onTestFinished(() => {
    client.destroy();
    connection.destroy();
    server.close();
  });
  return { client, connection };
}

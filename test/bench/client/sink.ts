import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { CLOSE, END_OF_STREAM } from '../../../src/protocol/closeCodes.ts';

/** A service in a process of its own that does almost nothing: a partial per second of audio, a final every five seconds. */

export interface SinkReport {
  /** Milliseconds from a block in the sender to its frame here. */
  readonly delaysMs: readonly number[];
}

const FRAMES_A_SECOND = 10;

let delaysMs: number[] = [];
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
await once(server, 'listening');

server.on('connection', socket => {
  let frames = 0;
  const words = (type: string, ts: number, endTs: number) =>
    JSON.stringify({
      type,
      ts,
      end_ts: endTs,
      elements: [{ type: 'text', value: 'word', ts, end_ts: endTs }],
    });
  socket.send(JSON.stringify({ type: 'connected', id: 'bench' }));
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary && data.toString() === END_OF_STREAM) return socket.close(1000, CLOSE.endOfInput.reason);
    const sentAt = data.readBigInt64LE(0);
    if (sentAt > 0n) delaysMs.push(Number(process.hrtime.bigint() - sentAt) / 1e6);
    frames++;
    if (frames % FRAMES_A_SECOND !== 0) return;
    const second = frames / FRAMES_A_SECOND;
    if (second % 5 === 0) socket.send(words('final', second - 5, second));
    else socket.send(words('partial', second - 1, second));
  });
});

process.on('message', () => {
  process.send!({ delaysMs } satisfies SinkReport);
  delaysMs = [];
});
process.on('disconnect', () => process.exit());
process.send!((server.address() as AddressInfo).port);

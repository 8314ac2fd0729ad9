import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { lastValueFrom } from 'rxjs';
import { WebSocket } from 'ws';
import { transcribe } from '../../../src/client/stream/transcribe.ts';
import { createGate } from '../../../src/flow/gate.ts';
import { END_OF_STREAM } from '../../../src/protocol/closeCodes.ts';
import type { Cassette } from '../../../src/replay/cassette/cassette.ts';
import { type CassetteServer, playServer } from '../../../src/replay/play/server/playServer.ts';
import { playSource } from '../../../src/replay/play/source/playSource.ts';
import { inVirtualTime } from '../../../src/replay/time/inVirtualTime.ts';
import { RAW_8000 } from '../../helpers/bareClient.ts';
import { madeCassette } from '../../helpers/madeCassette.ts';

const SECONDS = 3600;
const RATE = 16_000;
/** Unsent bytes at which a bare client waits. */
const WINDOW_BYTES = 64 * 1024;

const WAYS: Readonly<Record<string, (cassette: Cassette) => Promise<void>>> = {
  'bare ws client that only sends': cassette =>
    onServer(cassette, server => sendBare(server, framesOf(cassette))),
  'transcribe(), max, with a gate': cassette =>
    onServer(cassette, server => {
      const gate = createGate();
      return stream(cassette, server, gate);
    }),
  'transcribe(), max, in step': cassette => onServer(cassette, server => stream(cassette, server)),
  'transcribe(), real time in virtual time': cassette =>
    inVirtualTime(async clock => {
      await using server = await playServer(cassette, { clock, latency: 'recorded' });
      const live = transcribe({ url: server.url, token: server.token, clock });
      await lastValueFrom(playSource(cassette, { speed: 1, clock }).pipe(live));
      server.check();
    }),
};

/** Measures the playback of a cassette of an hour: 36,000 blocks of 100 ms and 7,200 messages, with all comparisons. */
export async function run(): Promise<void> {
  const cassette = madeCassette({ seconds: SECONDS, sampleRate: RATE });
  const rows = [];
  for (const [way, play] of Object.entries(WAYS)) {
    const startedMs = performance.now();
    const cpu = process.cpuUsage();
    await play(cassette);
    const { user, system } = process.cpuUsage(cpu);
    const seconds = (performance.now() - startedMs) / 1000;
    rows.push({
      client: way,
      's of wall time': seconds.toFixed(1),
      's of CPU, both ends': ((user + system) / 1e6).toFixed(1),
    });
  }
  console.log(`play: an hour of ${RATE} Hz to playServer() in the same process`);
  console.table(rows);
}

async function onServer(
  cassette: Cassette,
  use: (server: CassetteServer) => Promise<unknown>,
): Promise<void> {
  await using server = await playServer(cassette);
  await use(server);
  server.check();
}

function stream(
  cassette: Cassette,
  server: CassetteServer,
  gate?: ReturnType<typeof createGate>,
): Promise<unknown> {
  const { url, token } = server;
  const source = playSource(cassette, gate ? { gate } : { server });
  return lastValueFrom(source.pipe(transcribe({ url, token, ...(gate && { gate }) })));
}

async function sendBare(server: CassetteServer, frames: AsyncIterable<Uint8Array>): Promise<void> {
  const content_type = RAW_8000.replace('8000', String(RATE));
  const query = new URLSearchParams({ content_type, access_token: server.token });
  const socket = new WebSocket(`${server.url}?${query}`, { perMessageDeflate: false });
  const closed = once(socket, 'close');
  socket.on('message', data => JSON.parse(data.toString()));
  await once(socket, 'open');
  for await (const frame of frames) {
    socket.send(frame);
    while (socket.bufferedAmount > WINDOW_BYTES) await setImmediate();
  }
  socket.send(END_OF_STREAM);
  await closed;
}

/** Returns the bytes of the file in frames, without decoding. */
async function* framesOf(cassette: Cassette): AsyncGenerator<Uint8Array> {
  const bytes = RATE / 5;
  let rest = new Uint8Array(0);
  let isHeader = true;
  for await (const piece of cassette.audio!.bytes()) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    rest = rest.length > 0 ? Buffer.concat([rest, piece]) : new Uint8Array(piece);
    let at = 0;
    for (; at + bytes <= rest.length; at += bytes) yield rest.subarray(at, at + bytes);
    rest = rest.subarray(at);
  }
}

import { once } from 'node:events';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Subject } from 'rxjs';
import { WebSocket } from 'ws';
import type { AudioBlock } from '../../../src/audio/format/format.ts';
import { encodePcm } from '../../../src/audio/pcm/pcm.ts';
import { STREAM_DEFAULTS } from '../../../src/client/stream/options.ts';
import { transcribe } from '../../../src/client/stream/transcribe.ts';
import { END_OF_STREAM } from '../../../src/protocol/closeCodes.ts';

/** The sending side of the client bench, in a process of its own. */

export interface SenderTask {
  readonly way: Way;
  readonly port: number;
  readonly sessions: number;
  readonly seconds: number;
}

/** `ready`: bare ws with bytes made before; `encoded`: bare ws after `encodePcm`, as in the client; `transcribe`: the client. */
export type Way = 'ready' | 'encoded' | 'transcribe';

export interface LiveReport {
  readonly cpuSeconds: number;
  readonly audioSeconds: number;
}

const RATE = 16_000;
const CHUNK_FRAMES = RATE / 10;
/** Chunks sent faster than real time before the measurement, enough for the compiler to finish its work. */
const WARM_UP_FRAMES = 60_000;
const TICK_MS = 10;

/** A stream under measurement. */
interface Sender {
  write(block: AudioBlock): void;
  end(): void;
}

/** Writes the time into the first four samples, 16 bits each, so that the receiver knows when the block was made. */
function stamp(samples: Float32Array, time: bigint): void {
  for (let i = 0; i < 4; i++) samples[i] = Number(BigInt.asIntN(16, time >> BigInt(16 * i))) / 32_768;
}

async function bareSender(port: number, encode: (block: AudioBlock) => Uint8Array): Promise<Sender> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  socket.on('message', data => JSON.parse(data.toString()));
  await once(socket, 'open');
  return { write: block => socket.send(encode(block)), end: () => socket.send(END_OF_STREAM) };
}

async function sender(port: number): Promise<Sender> {
  const source = new Subject<AudioBlock>();
  const live = transcribe({ url: `ws://127.0.0.1:${port}`, token: 't', sampleRate: RATE });
  const { promise: isOpen, resolve } = Promise.withResolvers<void>();
  live.status$.subscribe(status => status.type === 'open' && resolve());
  source.pipe(live).subscribe();
  await isOpen;
  return { write: block => source.next(block), end: () => source.complete() };
}

function openSender(way: Way, port: number): Promise<Sender> {
  if (way === 'transcribe') return sender(port);
  if (way === 'encoded') return bareSender(port, block => encodePcm(block.samples, 'S16LE'));
  const bytes = Buffer.alloc(CHUNK_FRAMES * 2);
  return bareSender(port, block => {
    bytes.writeBigInt64LE(BigInt(block.startFrame));
    return bytes;
  });
}

/** Sends at real time: a chunk every 100 ms per session, the sessions spread over that time. */
async function live({ way, port, sessions, seconds }: SenderTask): Promise<LiveReport> {
  const senders = await Promise.all(Array.from({ length: sessions }, () => openSender(way, port)));
  const samples = Float32Array.from({ length: CHUNK_FRAMES }, (_, i) => Math.sin(i / 7) / 2);
  const sendTick = (tick: number, now: () => bigint) => {
    for (let i = tick % 10; i < senders.length; i += 10) {
      if (way !== 'ready') stamp(samples, now());
      const startFrame = way === 'ready' ? Number(now()) : Math.floor(tick / 10) * CHUNK_FRAMES;
      senders[i]!.write({ startFrame, sampleRate: RATE, channels: 1, samples });
    }
  };
  // In two halves, with a pause for the first pings: code that runs for the first time later would be slow for long.
  const warmUpTicks = Math.max(40, (WARM_UP_FRAMES * 10) / sessions);
  for (let tick = 0; tick < warmUpTicks; tick++) {
    if (tick === warmUpTicks / 2) await setTimeout(STREAM_DEFAULTS.pingIntervalMs + 1000);
    sendTick(tick, () => 0n);
    await setImmediate();
  }
  await setTimeout(1000);
  const ticks = (seconds * 1000) / TICK_MS;
  const start = performance.now();
  const cpu = process.cpuUsage();
  for (let tick = 0; tick < ticks; tick++) {
    sendTick(warmUpTicks + tick, process.hrtime.bigint);
    await setTimeout(Math.max(0, start + (tick + 1) * TICK_MS - performance.now()));
  }
  const { user, system } = process.cpuUsage(cpu);
  for (const sender of senders) sender.end();
  return { cpuSeconds: (user + system) / 1e6, audioSeconds: sessions * seconds };
}

const [task] = (await once(process, 'message')) as [SenderTask];
process.send!(await live(task), () => process.exit());

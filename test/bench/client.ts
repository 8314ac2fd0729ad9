import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { LiveReport, LongReport, SenderTask, Way } from './client/sender.ts';
import type { SinkReport } from './client/sink.ts';

const SESSIONS = [20, 200];
const SECONDS = 10;
/** The ways take turns, so that what else the machine does falls on all of them. */
const ROUNDS = 3;
const WAYS: readonly Way[] = ['ready', 'encoded', 'transcribe'];
const LABELS: Readonly<Record<Way, string>> = {
  ready: 'bare ws, bytes ready',
  encoded: 'bare ws after encodePcm',
  transcribe: 'transcribe()',
};

/** What the client costs next to a bare ws sender: CPU, delay, and memory of a long stream. */
export async function run(): Promise<void> {
  const sink = fork(new URL('./client/sink.ts', import.meta.url));
  const [port] = (await once(sink, 'message')) as [number];
  try {
    for (const sessions of SESSIONS) await printLive(sink, port, sessions);
    await printLong(port, 3);
  } finally {
    sink.disconnect();
  }
}

async function printLive(sink: ChildProcess, port: number, sessions: number): Promise<void> {
  const cpu = new Map<Way, number[]>(WAYS.map(way => [way, []]));
  const delays = new Map<Way, number[]>(WAYS.map(way => [way, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of WAYS) {
      const report = await send<LiveReport>({ kind: 'live', way, port, sessions, seconds: SECONDS });
      cpu.get(way)!.push((report.cpuSeconds / report.audioSeconds) * 3600);
      sink.send('report');
      const [{ delaysMs }] = (await once(sink, 'message')) as [SinkReport];
      delays.get(way)!.push(...delaysMs);
    }
  }
  const bare = quantile(cpu.get('encoded')!, 0.5);
  console.log(`\nclient stream: ${sessions} sessions, 100 ms blocks, ${ROUNDS} x ${SECONDS} s at real time`);
  console.table(
    WAYS.map(way => ({
      sender: LABELS[way],
      'CPU s per audio hour': quantile(cpu.get(way)!, 0.5).toFixed(2),
      'of bare ws + encodePcm': (quantile(cpu.get(way)!, 0.5) / bare).toFixed(2),
      'block to frame p50 ms': quantile(delays.get(way)!, 0.5).toFixed(3),
      'p99 ms': quantile(delays.get(way)!, 0.99).toFixed(3),
    })),
  );
}

async function printLong(port: number, hours: number): Promise<void> {
  const { wallSeconds, heapMb, rssMb } = await send<LongReport>({ kind: 'long', port, hours });
  console.log(`\nclient stream: ${hours} h in virtual time, ${wallSeconds.toFixed(1)} s of wall time`);
  console.table(
    heapMb.map((heap, i) => ({
      'after h': (i + 1) / 2,
      'heap MB': heap.toFixed(1),
      'RSS MB': rssMb[i]!.toFixed(1),
    })),
  );
}

/** Runs a task in a process of its own. */
async function send<Report>(task: SenderTask): Promise<Report> {
  const sender = fork(new URL('./client/sender.ts', import.meta.url), { execArgv: ['--expose-gc'] });
  sender.send(task);
  const ended = once(sender, 'exit').then(([code]) => {
    throw new Error(`sender ended with ${code}`);
  });
  const [report] = (await Promise.race([once(sender, 'message'), ended])) as [Report];
  ended.catch(() => {});
  return report;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { quantile } from '../helpers/quantile.ts';
import type { LiveReport, SenderTask, Way } from './client/sender.ts';
import type { SinkReport } from './client/sink.ts';
import { printGoal } from './parts/printGoal.ts';

/** Goals at real time: cost, also of many streams, and delay next to a bare ws sender that encodes. */
const GOALS = { ratio: 1.25, manyRatio: 1.2, delayMs: 0.1 } as const;

const SESSIONS = [20, 200];
const MANY_SESSIONS = 1000;
const SECONDS = 10;
/** The ways take turns, so that other work of the machine falls on all of them; figures are medians. */
const ROUNDS = 5;
const WAYS: readonly Way[] = ['ready', 'encoded', 'transcribe'];
const LABELS: Readonly<Record<Way, string>> = {
  ready: 'bare ws, bytes ready',
  encoded: 'bare ws that encodes',
  transcribe: 'transcribe()',
};

/** Runs of one way, one per round. */
interface Runs {
  /** CPU seconds per hour of audio. */
  readonly cpu: number[];
  /** Medians of the milliseconds from block to frame. */
  readonly p50: number[];
  readonly p99: number[];
}

/** Measures the cost of the client next to a bare ws sender: CPU, delay, and many streams. */
export async function run(): Promise<void> {
  const sink = fork(new URL('./client/sink.ts', import.meta.url));
  const [port] = (await once(sink, 'message')) as [number];
  try {
    for (const sessions of SESSIONS) printLive(sessions, await measure(sink, port, sessions, WAYS));
    await printMany(sink, port);
  } finally {
    sink.disconnect();
  }
}

/** Runs each way once a round, in turns: same audio, same blocks of 100 ms, same encoding, a process for each run. */
async function measure(
  sink: ChildProcess,
  port: number,
  sessions: number,
  ways: readonly Way[],
): Promise<ReadonlyMap<Way, Runs>> {
  const runs = new Map<Way, Runs>(ways.map(way => [way, { cpu: [], p50: [], p99: [] }]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of ways) {
      const report = await send({ way, port, sessions, seconds: SECONDS });
      sink.send('report');
      const [{ delaysMs }] = (await once(sink, 'message')) as [SinkReport];
      const { cpu, p50, p99 } = runs.get(way)!;
      cpu.push((report.cpuSeconds / report.audioSeconds) * 3600);
      p50.push(quantile(delaysMs, 0.5));
      p99.push(quantile(delaysMs, 0.99));
    }
  }
  return runs;
}

function printLive(sessions: number, runs: ReadonlyMap<Way, Runs>): void {
  const { p50: bareDelay } = runs.get('encoded')!;
  const { p50 } = runs.get('transcribe')!;
  console.log(`\nclient stream: ${sessions} sessions, 100 ms blocks, ${ROUNDS} x ${SECONDS} s at real time`);
  console.table(
    [...runs].map(([way, one]) => ({
      sender: LABELS[way],
      'CPU s per audio hour': median(one.cpu).toFixed(2),
      'block to frame p50 ms': median(one.p50).toFixed(3),
      'p99 ms': median(one.p99).toFixed(3),
    })),
  );
  const delays = p50.map((value, round) => value - bareDelay[round]!);
  printRatio(runs, GOALS.ratio);
  printGoal('p50 delay above bare ws (ms)', delays, GOALS.delayMs);
}

async function printMany(sink: ChildProcess, port: number): Promise<void> {
  const runs = await measure(sink, port, MANY_SESSIONS, ['encoded', 'transcribe']);
  console.log(`\nclient stream: ${MANY_SESSIONS} sessions in one process`);
  // So much audio a second, each second of which costs so much processor time.
  const percent = (cpu: number) => ((cpu * MANY_SESSIONS) / 3600) * 100;
  for (const [way, { cpu }] of runs) printGoal(`${LABELS[way]}: % of a core`, cpu.map(percent));
  printRatio(runs, GOALS.manyRatio);
}

function printRatio(runs: ReadonlyMap<Way, Runs>, goal: number): void {
  const { cpu: bare } = runs.get('encoded')!;
  const ratios = runs.get('transcribe')!.cpu.map((value, round) => value / bare[round]!);
  printGoal('CPU of transcribe() / bare ws that encodes', ratios, goal);
}

/** Runs a task in a process of its own. */
async function send(task: SenderTask): Promise<LiveReport> {
  const sender = fork(new URL('./client/sender.ts', import.meta.url), { execArgv: [] });
  sender.send(task);
  const ended = once(sender, 'exit').then(([code]) => {
    throw new Error(`sender ended with ${code}`);
  });
  const [report] = (await Promise.race([once(sender, 'message'), ended])) as [LiveReport];
  ended.catch(() => {});
  return report;
}

const median = (values: readonly number[]) => quantile(values, 0.5);

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readCassette } from '../../../src/replay/cassette/read/readCassette.ts';
import { playServer } from '../../../src/replay/play/server/playServer.ts';
import { verdictOf } from '../../../src/replay/report/figures.ts';
import { baselineOf } from '../../../src/replay/suite/baseline/baseline.ts';
import { readSuite } from '../../../src/replay/suite/read/readSuite.ts';
import { runSuite } from '../../../src/replay/suite/run/runSuite.ts';

const CASSETTE = join(import.meta.dirname, '../../../samples/sense-and-sensibility.cassette.jsonl');
/** Runs of a baseline, and of a later report. */
const REPEATS = 5;
/** Reports that are measured at a time, each with its own service. */
const AT_A_TIME = 10;
/** Random delay of each message in milliseconds, as the delays of a recogniser differ. */
const JITTER_MS = 100;
/** Programs that keep a processor busy meanwhile. */
const LOADS = [0, 1, 2, 4];
const UNCHANGED = 50;
const SLOWED = 20;

/**
 * Measures how often the gate is red for a live service that has not changed, and how often for one whose finals are a tenth
 * slower. The service answers in real time as a cassette recorded it, with random delays.
 */
export async function run(): Promise<void> {
  const [baseline] = await reports(1, 0);
  const before = baselineOf(baseline!);
  const p50 = baseline!.delay!.final!.p50;
  const rows: object[] = [];
  const judge = async (count: number, slower: number, load: number) => {
    const found = {
      service: slower === 0 ? 'unchanged' : `finals ${(slower * 100).toFixed(0)} % slower`,
      load,
    };
    const gates = await withLoad(load, () => reports(count, slower * p50 * 1000, before));
    const of = (verdict: string) => gates.filter(({ gate }) => verdictOf(gate) === verdict).length;
    rows.push({
      ...found,
      reports: gates.length,
      passed: of('passed'),
      failed: of('failed'),
      invalid: of('invalid'),
    });
  };
  for (const load of LOADS) await judge(UNCHANGED, 0, load);
  await judge(SLOWED, 0.1, 0);
  console.log(
    `gate: ${REPEATS} runs of 28 s each against a baseline of ${REPEATS} runs; median final ${p50.toFixed(2)} s, deviation ${before.all.deviations['delay.final.p50']?.toFixed(3)} s`,
  );
  console.table(rows);
}

/** Streams the recording to services and returns a report of each. */
async function reports(count: number, slowerMs: number, baseline?: ReturnType<typeof baselineOf>) {
  const all = [];
  for (let first = 0; first < count; first += AT_A_TIME) {
    const seeds = Array.from({ length: Math.min(AT_A_TIME, count - first) }, (_, index) => first + index);
    all.push(...(await Promise.all(seeds.map(seed => report(seed, slowerMs, baseline)))));
  }
  return all;
}

async function report(seed: number, slowerMs: number, baseline?: ReturnType<typeof baselineOf>) {
  const cassette = await readCassette(CASSETTE);
  const delay = { kind: 'delay', ms: slowerMs, jitterMs: JITTER_MS } as const;
  const faults = Array.from({ length: REPEATS }, () => [delay]);
  await using server = await playServer(cassette, { latency: 'recorded', faults, seed: 1 + seed + slowerMs });
  const { url, token } = server;
  const suite = await readSuite([CASSETTE], { url, repeats: REPEATS, concurrency: REPEATS });
  return await runSuite(suite, { baseline, service: { url, token, shownAs: 'played' } });
}

/** Keeps processors busy during some work. */
async function withLoad<T>(load: number, work: () => Promise<T>): Promise<T> {
  const busy = Array.from({ length: load }, () => spawn(process.execPath, ['-e', 'for (;;);']));
  try {
    return await work();
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
}

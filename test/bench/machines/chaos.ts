import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { type Random, seeded } from '../../../src/base/seeded.ts';
import { removeOldLeftovers } from '../../../src/service/jobs/leftovers.ts';
import { openStore } from '../../../src/service/store/store.ts';
import { collect } from '../../helpers/collect.ts';
import { freePorts } from '../../helpers/freePorts.ts';
import { speechFile } from '../../helpers/keptService.ts';
import { TEST_TOKEN } from '../../helpers/testService.ts';
import { type Installation, install, type Machine } from './parts/installation.ts';
import { type ChaosFault, type Link, targetFaults } from './parts/load/chaosFaults.ts';
import { countLeftovers } from './parts/load/leftovers.ts';
import { type Recording, readRecording } from './parts/load/loadSpeech.ts';
import { runChaos } from './parts/load/runChaos.ts';

const MINUTES = Number(process.env.RXSCRIBE_BENCH_MINUTES ?? 10);
const SEED = Number(process.env.RXSCRIBE_BENCH_SEED ?? Math.floor(Math.random() * 1e6));
const STREAMS = 24;
/** Jobs in flight. */
const JOBS = 12;
const RECORDINGS = 4;
/** Longer than the lease of a job whose process was killed, and two sweeps. */
const SETTLE_SECONDS = 240;
/** Levels above ring too much when they are resampled. */
const MAX_LEVEL = 250;

/**
 * Streams and submits jobs while parts of an installation fail, then counts losses, duplicates and leftovers. Three processes
 * take requests and three run jobs, behind haproxy or, with an odd seed, nginx. The servers behind them fail as well, and the
 * networks to these. `RXSCRIBE_BENCH_MINUTES`, default 10;
 * `RXSCRIBE_BENCH_SEED` repeats the faults of a run.
 */
export async function run(): Promise<void> {
  console.log(`${MINUTES} minutes with seed ${SEED}`);
  const directory = await mkdtemp(join(tmpdir(), 'rxscribe-chaos-'));
  await using stack = new AsyncDisposableStack();
  if (!process.env.RXSCRIBE_BENCH_KEEP) stack.defer(() => rm(directory, { recursive: true, force: true }));
  const account = { streams: 1000, jobsInProgress: 1e6, requestsPerSecond: 1000, requestBurst: 1000 };
  const installation = stack.use(
    await install({ directory, api: 3, worker: 3, jobsAtOnce: 4, workMs: 5, limits: { account } }),
  );
  const { url } = installation.balancers[SEED % 2]!;
  const [notifyPort] = await freePorts(1);
  let aheadMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const { databaseUrl, place: objects } = installation;
  const dataDirectory = join(directory, 'audit');
  const store = openStore({ dataDirectory, databaseUrl, objects, clock, onError: () => {} });
  stack.defer(() => store.close());
  const open = await store.opened;
  const { faults, facts, findings, isSound } = await runChaos({
    service: { url, token: TEST_TOKEN },
    recordings: await recordings(directory, seeded(SEED)),
    faults: faultsOf(installation),
    seconds: MINUTES * 60,
    seed: SEED,
    streams: STREAMS,
    jobs: JOBS,
    maxWordErrors: 0,
    notifyUrl: `http://127.0.0.1:${notifyPort}/`,
    leftovers: async () => countLeftovers(open),
    settleSeconds: SETTLE_SECONDS,
    signal: new AbortController().signal,
    clock: systemClock,
  });
  for (const each of [faults, facts, findings]) console.table(each);
  // Submissions that were cut off leave inputs, which the sweep an hour later removes.
  const seen = new Map<string, number>();
  await removeOldLeftovers(open, clock, seen);
  aheadMs = 3_600_000;
  await removeOldLeftovers(open, clock, seen);
  const inputs = await collect(open.objects.names('submitted'));
  console.table({ 'inputs after the next sweep': inputs.length });
  const exits = installation.machines.flatMap(machine => machine.exits);
  console.log(
    `${isSound ? 'sound' : 'not sound'}; ${exits.length} processes ended by SIGTERM, ${exits.filter(code => code !== 0).length} of them with an error`,
  );
}

/** Writes recordings of 20 to 60 s: utterances of 0.5 to 4 s with pauses of 0.4 to 1.5 s. */
async function recordings(directory: string, random: Random): Promise<readonly Recording[]> {
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const all: Recording[] = [];
  for (let number = 0; number < RECORDINGS; number++) {
    const levels: number[] = [];
    const length = between(200, 600);
    let last = 0;
    while (levels.length < length) {
      for (let words = between(5, 40); words > 0; words--) {
        // Never the same word twice in a row: a lost one would not be seen.
        last = 1 + ((last + between(0, MAX_LEVEL - 2)) % MAX_LEVEL);
        levels.push(last);
      }
      levels.push(...new Array<number>(between(4, 15)).fill(0));
    }
    const path = join(directory, `${number}.wav`);
    await writeFile(path, speechFile(levels));
    all.push(await readRecording(path));
  }
  return all;
}

function faultsOf({ machines, database, objects }: Installation): readonly ChaosFault[] {
  const ofServer = (server: Installation['database'] | Installation['objects']) => ({
    stop: () => server.stop(),
    start: () => server.start(),
    freeze: () => server.pause(),
    continue: () => server.goOn(),
  });
  const ofMachine = (machine: Machine) => {
    const { name: machineName, databaseLink, objectsLink } = machine.parts;
    const actions = {
      kill: () => machine.kill(),
      stop: () => machine.stop(),
      start: () => machine.start(),
      freeze: () => machine.pause(),
      continue: () => machine.goOn(),
    };
    const cut = (from: string, { cut: begin, heal: end }: Link) => {
      return {
        name: `cut ${machineName} from the ${from}`,
        weight: 2,
        part: actions,
        maxSeconds: 40,
        begin,
        end,
      };
    };
    const cuts = [cut('database', databaseLink), cut('objects', objectsLink)];
    return [...targetFaults(machineName, actions), ...cuts];
  };
  return [
    ...machines.flatMap(ofMachine),
    ...targetFaults('database', ofServer(database)),
    ...targetFaults('objects', ofServer(objects)),
  ];
}

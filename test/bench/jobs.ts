import { auditStore, killServices } from '../helpers/killRounds.ts';
import { drainBoss, drainJobs } from './jobs/drain.ts';
import { notifiedAfter } from './jobs/notified.ts';
import { startWith } from './jobs/startUp.ts';
import { scratchDirectory } from './parts/scratch.ts';

const QUEUED = 10_000;
const STORED = 100_000;
const ROUNDS = 60;

/** Benchmarks of jobs on the embedded store: a long queue, a full store, killed services, notifications. */
export async function run(): Promise<void> {
  console.log(
    `${QUEUED} jobs that do nothing, next to as many entries of bare pg-boss on the same database:`,
  );
  console.table([await apart(at => drainBoss(at, QUEUED)), await apart(at => drainJobs(at, QUEUED))]);
  console.log('From the end of a task to its notification at a receiver on this machine:');
  console.table(await apart(notifiedAfter));
  console.log('A start, from nothing to the first job that is taken:');
  console.table([await apart(at => startWith(at, 0)), await apart(at => startWith(at, STORED))]);
  console.log(`Services that are killed with SIGKILL while they take and run jobs, ${ROUNDS} of them:`);
  console.table([
    await apart(async dataDirectory => {
      const acknowledged = await killServices({ dataDirectory }, ROUNDS);
      return auditStore({ dataDirectory }, acknowledged);
    }),
  ]);
}

/** Runs a benchmark in a directory of its own. */
async function apart<T>(measure: (dataDirectory: string) => Promise<T>): Promise<T> {
  await using directory = await scratchDirectory();
  return await measure(directory.path);
}

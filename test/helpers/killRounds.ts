import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { INITIAL_BALANCE_SECONDS } from '../../src/service/accounts/accounts.ts';
import { JOB_MAINTENANCE_INTERVAL_MS } from '../../src/service/jobs/maintenance.ts';
import type { Task } from '../../src/service/jobs/task.ts';
import { collect } from './collect.ts';
import { type JobStoreOptions, openJobStore, type StorePlace } from './jobStore.ts';

/** Seconds that each job costs; sums of it are exact. */
const COST_SECONDS = 2.25;

/** Several jobs at a time; no notification is ever received. */
export const KILLED_JOBS: JobStoreOptions = { concurrency: 4, onError: () => {} };

/** A task of some milliseconds that fails unless its input is the submitted one. */
export const killedTask: Task = async ({ id }, { input, media, signal, reserve }) => {
  const contents = media && (await readFile(media, 'utf8'));
  if (contents !== `media of ${id}` || (input as { id: string }).id !== id) throw new Error('input is lost');
  await reserve(COST_SECONDS);
  await setTimeout(Math.random() * 20, undefined, { signal });
  return { durationSeconds: COST_SECONDS, results: { transcript: `words of ${id}` } };
};

/** Fate of jobs whose services were killed. In a sound store all but the first number are 0. */
export interface KillReport {
  /** Jobs that were acknowledged. */
  readonly acknowledged: number;
  /** Acknowledged, but not there. */
  readonly lost: number;
  /** Jobs that exist, but have not ended or have no results. */
  readonly notDone: number;
  /** Reported more or less than once. */
  readonly notNotifiedOnce: number;
  /** Seconds that the account was charged too much or too little. */
  readonly creditOff: number;
  /** Seconds of credit that are still held. */
  readonly stillHeld: number;
  /** Unused objects and queue entries. */
  readonly leftOver: number;
}

/** Runs services one after another on a store, kills each at a random moment, and resolves with the accepted jobs. */
export async function killServices(place: StorePlace, rounds: number): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const program = new URL('./jobStoreMain.ts', import.meta.url).pathname;
    const args = ['--conditions=source', program, JSON.stringify(place)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    const lines = createInterface(child.stdout).on('line', id => acknowledged.push(id));
    const read = once(lines, 'close');
    // Every fourth is killed while it opens the store.
    if (round % 4 !== 3) await Promise.race([once(lines, 'line'), exited]);
    await setTimeout(Math.random() * 500);
    child.kill('SIGKILL');
    const [code] = await exited;
    if (code !== null) throw new Error(`wanted a service to kill, found one that ended with ${code}`);
    await read;
  }
  return acknowledged;
}

/** Creates a clock of now on which the sweeps of minutes take a second. */
export function sweepingClock(): Clock {
  const startMs = systemClock.now();
  const aheadMs = () => 99 * (systemClock.now() - startMs);
  return {
    now: () => systemClock.now() + aheadMs(),
    wallTime: () => systemClock.wallTime() + aheadMs(),
    schedule: (delayMs, run) =>
      systemClock.schedule(delayMs === JOB_MAINTENANCE_INTERVAL_MS ? delayMs / 100 : delayMs, run),
  };
}

/** Lets a service finish the remaining jobs, and checks the whole store. */
export async function auditStore(place: StorePlace, acknowledged: readonly string[]): Promise<KillReport> {
  const options = { ...KILLED_JOBS, tasks: { async: killedTask }, clock: sweepingClock() };
  await using service = openJobStore(place, options);
  await service.accounts.initialToken;
  const { db, objects } = await service.store.opened;
  // Opens the queue.
  await service.jobs.find('owner', 'nothing');
  const inProgress = () => service.jobs.countInProgress('owner', 1);
  while ((await inProgress()) > 0) await setTimeout(20);
  const jobs = await db.selectFrom('jobs').selectAll().execute();
  const deliveries = await db.selectFrom('deliveries').select('jobId').execute();
  const account = await db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
  const results = await Promise.all(jobs.map(({ id }) => service.jobs.result(id, 'transcript')));
  const notified = Map.groupBy(deliveries, ({ jobId }) => jobId);
  const ids = new Set(jobs.map(({ id }) => id));
  const isDone = (job: (typeof jobs)[number], at: number) =>
    job.status === 'done' && results[at] === `words of ${job.id}`;
  const leftOver = async () => {
    const { length } = await collect(objects.names('submitted'));
    const entries = await db
      .withSchema('queue')
      .selectFrom('job' as never)
      .selectAll()
      .execute();
    return length + entries.length - deliveries.length;
  };
  for (let tries = 0; (await leftOver()) > 0 && tries < 1000; tries++) await setTimeout(20);
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter(id => !ids.has(id)).length,
    notDone: jobs.filter((job, at) => !isDone(job, at)).length,
    notNotifiedOnce: jobs.filter(({ id }) => notified.get(id)?.length !== 1).length,
    creditOff: INITIAL_BALANCE_SECONDS - account.balanceSeconds - jobs.length * COST_SECONDS,
    stillHeld: account.reservedSeconds,
    leftOver: await leftOver(),
  };
}

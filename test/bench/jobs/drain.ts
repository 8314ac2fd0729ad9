import { setTimeout } from 'node:timers/promises';
import { fromPglite, PgBoss } from 'pg-boss';
import { openPglite } from '../../../src/service/store/pglite.ts';
import { openJobStore } from '../../helpers/jobStore.ts';

const CONCURRENCY = 8;

interface Drain {
  readonly what: string;
  readonly 'taken a second': number;
  readonly 'ended a second': number;
  /** Memory of the process, including the database, when all jobs are queued. */
  readonly 'memory (MB)': number;
}

/** Measures entries of pg-boss sent one by one and fetched by its own workers: ids only. */
export async function drainBoss(directory: string, count: number): Promise<Drain> {
  const pglite = await openPglite(directory);
  const boss = new PgBoss({ backend: 'pglite', db: fromPglite(pglite), supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue('jobs');
  const takenSeconds = await secondsOf(async () => {
    for (let index = 0; index < count; index++) await boss.send('jobs', { id: `job${index}` });
  });
  const megabytes = process.memoryUsage.rss() / 1e6;
  const endedSeconds = await secondsOf(async () => {
    let ended = 0;
    for (let worker = 0; worker < CONCURRENCY; worker++) {
      const id: string = await boss.work('jobs', async () => {
        ended++;
        boss.notifyWorker(id);
      });
    }
    while (ended < count) await setTimeout(10);
  });
  await boss.stop({ graceful: false });
  await pglite.close();
  return row('pg-boss', { count, takenSeconds, endedSeconds, megabytes });
}

/** Measures jobs: a record, a stored input, credit and an entry; then a result and the end. */
export async function drainJobs(dataDirectory: string, count: number): Promise<Drain> {
  let isOpen = false;
  const opened = Promise.withResolvers<void>();
  await using service = openJobStore(
    { dataDirectory },
    {
      concurrency: CONCURRENCY,
      tasks: {
        async async() {
          if (!isOpen) await opened.promise;
          return { durationSeconds: 1, results: { transcript: '{}' } };
        },
      },
    },
  );
  await service.accounts.initialToken;
  const takenSeconds = await secondsOf(async () => {
    for (let index = 0; index < count; index++) {
      const id = `job${index}`;
      await service.jobs.submit({
        ...{ id, accountId: 'owner', type: 'async', reserveSeconds: 1, input: { id } },
      });
    }
  });
  const megabytes = process.memoryUsage.rss() / 1e6;
  const endedSeconds = await secondsOf(async () => {
    isOpen = true;
    opened.resolve();
    while ((await service.jobs.countInProgress('owner', 1)) > 0) await setTimeout(100);
  });
  return row('jobs', { count, takenSeconds, endedSeconds, megabytes });
}

function row(
  what: string,
  measured: { count: number; takenSeconds: number; endedSeconds: number; megabytes: number },
): Drain {
  const { count, takenSeconds, endedSeconds, megabytes } = measured;
  return {
    what,
    'taken a second': Math.round(count / takenSeconds),
    'ended a second': Math.round(count / endedSeconds),
    'memory (MB)': Math.round(megabytes),
  };
}

async function secondsOf(action: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await action();
  return (performance.now() - start) / 1000;
}

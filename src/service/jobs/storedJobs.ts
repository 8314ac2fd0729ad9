import type { Clock } from '../../base/clock.ts';
import { every } from '../every.ts';
import type { OpenStore } from '../store/store.ts';
import { countInProgress } from './countInProgress.ts';
import { holdCredit } from './credit.ts';
import type { Jobs, Submission } from './jobs.ts';
import { listJobs } from './listJobs.ts';
import type { DescribeJob } from './outbox.ts';
import { openQueue, type Queue } from './queue.ts';
import { ended, type JobRecord } from './record.ts';
import { fromRow, inputKey, mediaKey, removeJob, removeObjects, resultKey, saveJob, toRow } from './rows.ts';
import { createRunner, type Runner } from './runner.ts';
import type { Tasks } from './task.ts';
import { deleteExpired, failOrphans, LEASE_MS, renewLeases } from './upkeep.ts';

/** Between two rounds of upkeep; no job is deleted later than this after its time. */
export const UPKEEP_INTERVAL_MS = 30_000;

/** A queue entry whose process gave no sign for so long is taken up by another. */
const HEARTBEAT_SECONDS = 30;

export interface StoredJobsOptions {
  /** The store, when it is open and has its accounts. */
  readonly opened: Promise<OpenStore>;
  readonly tasks: Tasks;
  readonly describe: DescribeJob;
  /** Jobs that run at the same time. */
  readonly concurrency: number;
  readonly clock: Clock;
  /** Something in the background failed. */
  readonly onError: (error: unknown) => void;
}

interface Opened {
  readonly store: OpenStore;
  readonly queue: Queue;
  readonly runner: Runner;
}

/** Jobs that are kept in a store until their time is over. */
export function createStoredJobs({ clock, onError, ...options }: StoredJobsOptions): Jobs {
  const running = new Set<string>();
  /** The last write of a job, while it is under way. */
  const writes = new Map<string, Promise<void>>();
  const now = () => new Date(clock.wallTime());

  async function prepare(): Promise<Opened> {
    const store = await options.opened;
    await failOrphans(store, now(), { all: store.exclusive }).catch(onError);
    const queue = await openQueue({
      database: store.queueDatabase,
      onError,
      clock,
      settings: {
        jobs: {
          retryLimit: 1000,
          retryDelay: 1,
          heartbeatSeconds: HEARTBEAT_SECONDS,
          expireInSeconds: 23 * 3600,
        },
        deliveries: { retryLimit: 1000 },
      },
    });
    const runner = createRunner({
      store,
      queue,
      clock,
      onError,
      tasks: options.tasks,
      describe: options.describe,
    });
    await queue.work(
      'jobs',
      { localConcurrency: options.concurrency, pollingIntervalSeconds: 2 },
      runner.run,
    );
    return { store, queue, runner };
  }
  const opened = prepare();
  opened.catch(() => {});
  const store = async () => (await opened).store;

  async function maintain(open: OpenStore): Promise<void> {
    await renewLeases(open, [...running], now());
    await failOrphans(open, now());
    await deleteExpired(open, now());
  }
  // When the store did not open there is nothing to maintain, and whoever opened it knows.
  const maintainOpen = () => store().then(maintain, () => {});
  const firstRound = maintainOpen().catch(onError);
  const stop = every(UPKEEP_INTERVAL_MS, maintainOpen, { clock, onError });

  /** Writes in the background, one after the other for each job. */
  function write(record: JobRecord, results?: Readonly<Record<string, string>>): void {
    const before = writes.get(record.id) ?? Promise.resolve();
    const written = before
      .then(() => save(record, results))
      .catch(onError)
      .finally(() => {
        if (writes.get(record.id) === written) writes.delete(record.id);
      });
    writes.set(record.id, written);
  }

  async function save(record: JobRecord, results: Readonly<Record<string, string>> = {}): Promise<void> {
    const { db, objects } = await store();
    for (const [name, contents] of Object.entries(results)) {
      await objects.put(resultKey(record.id, name), contents);
    }
    await saveJob(db, record);
  }

  async function submit({ input, media, reserveSeconds, ...job }: Submission): Promise<JobRecord> {
    const { store, queue } = await opened;
    const { db, objects } = store;
    const record: JobRecord = {
      ...job,
      status: 'in_progress',
      createdOn: now(),
      reservedSeconds: reserveSeconds,
      attempts: 0,
    };
    try {
      if (media !== undefined) await objects.adopt(mediaKey(job.id), media);
      if (input !== undefined) await objects.put(inputKey(job.id), JSON.stringify(input));
      await db.transaction().execute(async trx => {
        if (reserveSeconds > 0) await holdCredit(trx, job.accountId, reserveSeconds);
        await trx.insertInto('jobs').values(toRow(record)).execute();
        await queue.add(trx, 'jobs', job.id, job.accountId);
      });
    } catch (error) {
      await removeObjects(store, job.id);
      throw error;
    }
    queue.wake('jobs');
    return record;
  }

  return {
    submit,
    start(job) {
      const leaseUntil = new Date(clock.wallTime() + LEASE_MS);
      const record: JobRecord = {
        ...job,
        status: 'in_progress',
        createdOn: now(),
        reservedSeconds: 0,
        attempts: 1,
        leaseUntil,
      };
      running.add(job.id);
      write(record);
      return {
        end(outcome, results) {
          if (running.delete(job.id)) write(ended(record, outcome, now()), results);
        },
      };
    },
    async find(accountId, id) {
      await writes.get(id);
      const row = await (await store()).db
        .selectFrom('jobs')
        .selectAll()
        .where('id', '=', id)
        .where('accountId', '=', accountId)
        .where(where => where.or([where('deleteAt', 'is', null), where('deleteAt', '>', now())]))
        .executeTakeFirst();
      return row && fromRow(row);
    },
    list: async (accountId, filter) => listJobs((await store()).db, accountId, filter, now()),
    countInProgress: async (accountId, limit) => countInProgress((await store()).db, accountId, limit),
    result: async (id, name) => (await store()).objects.get(resultKey(id, name)),
    remove: async id => removeJob(await store(), id),
    async close() {
      await firstRound;
      await stop();
      await opened.then(({ queue }) => queue.close()).catch(onError);
      await Promise.all(writes.values());
    },
  };
}

import type { Clock } from '../../base/clock.ts';
import { every } from '../every.ts';
import type { OpenStore } from '../store/store.ts';
import type { Jobs } from './jobs.ts';
import { ended, type JobRecord } from './record.ts';
import { fromRow, removeJob, resultKey, saveJob } from './rows.ts';
import { deleteExpired, failOrphans, LEASE_MS, renewLeases } from './upkeep.ts';

/** Between two rounds of upkeep; no job is deleted later than this after its time. */
export const UPKEEP_INTERVAL_MS = 30_000;

export interface StoredJobsOptions {
  /** The store, when it is open and has its accounts. */
  readonly opened: Promise<OpenStore>;
  readonly clock: Clock;
  /** Something in the background failed. */
  readonly onError: (error: unknown) => void;
}

/** Jobs that are kept in a store until their time is over. */
export function createStoredJobs({ clock, onError, ...options }: StoredJobsOptions): Jobs {
  const running = new Set<string>();
  /** The last write of a job, while it is under way. */
  const writes = new Map<string, Promise<void>>();
  const now = () => new Date(clock.wallTime());

  async function prepare(): Promise<OpenStore> {
    const open = await options.opened;
    await failOrphans(open, now(), { all: open.exclusive }).catch(onError);
    return open;
  }
  const opened = prepare();

  async function maintain(open: OpenStore): Promise<void> {
    await renewLeases(open, [...running], now());
    await failOrphans(open, now());
    await deleteExpired(open, now());
  }
  // When the store did not open there is nothing to maintain, and whoever opened it knows.
  const maintainOpen = () => opened.then(maintain, () => {});
  const firstRound = maintainOpen().catch(onError);
  const stop = every(UPKEEP_INTERVAL_MS, maintainOpen, { clock, onError });

  /** Writes in the background, one after the other for each job. */
  function write(record: JobRecord, result?: string): void {
    const before = writes.get(record.id) ?? Promise.resolve();
    const written = before
      .then(() => save(record, result))
      .catch(onError)
      .finally(() => {
        if (writes.get(record.id) === written) writes.delete(record.id);
      });
    writes.set(record.id, written);
  }

  async function save(record: JobRecord, result?: string): Promise<void> {
    const { db, objects } = await opened;
    if (result !== undefined) await objects.put(resultKey(record.id), result);
    await saveJob(db, record);
  }

  return {
    start(job) {
      const leaseUntil = new Date(clock.wallTime() + LEASE_MS);
      const record: JobRecord = { ...job, status: 'in_progress', createdOn: now(), leaseUntil };
      running.add(job.id);
      write(record);
      return {
        end(outcome, result) {
          if (running.delete(job.id)) write(ended(record, outcome, now()), result);
        },
      };
    },
    async find(accountId, id) {
      await writes.get(id);
      const row = await (await opened).db
        .selectFrom('jobs')
        .selectAll()
        .where('id', '=', id)
        .where('accountId', '=', accountId)
        .where(where => where.or([where('deleteAt', 'is', null), where('deleteAt', '>', now())]))
        .executeTakeFirst();
      return row && fromRow(row);
    },
    result: async id => (await opened).objects.get(resultKey(id)),
    remove: async id => removeJob(await opened, id),
    async close() {
      await firstRound;
      await stop();
      await Promise.all(writes.values());
    },
  };
}

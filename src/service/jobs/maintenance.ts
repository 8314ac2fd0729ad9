import type { Clock } from '../../base/clock.ts';
import { every } from '../../base/wait/every.ts';
import type { OpenStore } from '../store/store.ts';
import type { EndJob } from './ending.ts';
import { removeObjects } from './jobObjects.ts';
import { removeOldLeftovers } from './leftovers.ts';
import { forgetRemoved, removeRows } from './retention.ts';

/** How long a job is believed to run without a word from who runs it. */
export const LEASE_MS = 120_000;
/** Jobs that are deleted between two looks at the table. */
const BATCH = 100;

/** Says of jobs that this process runs that it still does. */
export async function renewLeases(store: OpenStore, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await store.db
    .updateTable('jobs')
    .set({ leaseUntil: new Date(now.getTime() + LEASE_MS) })
    .where('id', 'in', ids)
    .where('status', '=', 'in_progress')
    .execute();
}

/**
 * Ends the jobs that a process ran itself and runs no more, as failed.
 *
 * @param options.all every one in progress: nobody else uses the store, and nothing runs here yet
 */
export async function failOrphans(
  { db }: OpenStore,
  end: EndJob,
  { now, all }: { readonly now: Date; readonly all: boolean },
): Promise<void> {
  let orphans = db
    .selectFrom('jobs')
    .select('id')
    .where('status', '=', 'in_progress')
    // What the queue runs has none, and what waits for people may have one.
    .where('leaseUntil', 'is not', null)
    .where('stage', 'is', null);
  if (!all) orphans = orphans.where('leaseUntil', '<', now);
  for (const { id } of await orphans.execute()) {
    await end(
      id,
      {
        status: 'failed',
        failure: 'internal_processing',
        failureDetail: 'The service stopped while the job was in progress',
      },
      { at: now },
    );
  }
}

/**
 * Deletes the jobs whose time is over, until the signal is aborted. The objects go before the row: what is interrupted
 * in between is done again.
 */
export async function deleteExpired(store: OpenStore, now: Date, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const expired = await store.db
      .selectFrom('jobs')
      .select('id')
      .where('deleteAt', '<=', now)
      .orderBy('deleteAt')
      .limit(BATCH)
      .execute();
    const ids = expired.map(({ id }) => id);
    if (ids.length === 0) return;
    for (const id of ids) await removeObjects(store, id);
    await removeRows(store.db, ids, now);
  }
}

/** Between two rounds of upkeep; no job is deleted later than this after its time. */
export const JOB_MAINTENANCE_INTERVAL_MS = 30_000;
/** Between two times that the places of deleted jobs are forgotten. */
const FORGET_INTERVAL_MS = 3_600_000;
/** Between two looks at all that was submitted. */
const LEFTOVERS_INTERVAL_MS = 3_600_000;

export interface MaintenanceOptions {
  readonly opened: Promise<{ readonly store: OpenStore; readonly end: EndJob }>;
  /** Ids of the jobs that this process runs itself. */
  readonly running: ReadonlySet<string>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Looks after jobs again and again; returns the stop. */
export function startMaintenance({
  opened,
  running,
  clock,
  onError,
}: MaintenanceOptions): () => Promise<void> {
  const stopping = new AbortController();
  const now = () => new Date(clock.wallTime());
  const rounds: readonly [number, (open: Awaited<typeof opened>) => Promise<void>][] = [
    [
      JOB_MAINTENANCE_INTERVAL_MS,
      async ({ store, end }) => {
        await renewLeases(store, [...running], now());
        await failOrphans(store, end, { now: now(), all: false });
      },
    ],
    // Apart, for it may take long after a downtime.
    [JOB_MAINTENANCE_INTERVAL_MS, ({ store }) => deleteExpired(store, now(), stopping.signal)],
    [LEFTOVERS_INTERVAL_MS, ({ store }) => removeOldLeftovers(store, clock)],
    [FORGET_INTERVAL_MS, ({ store }) => forgetRemoved(store.db, now())],
  ];
  const stops = rounds.map(([intervalMs, round]) =>
    // When the store did not open there is nothing to look after, and whoever opened it knows.
    atOnceAndEvery(intervalMs, () => opened.then(round, () => {}), { clock, onError }),
  );
  return async () => {
    stopping.abort();
    await Promise.all(stops.map(stop => stop()));
  };
}

/** As `every`, but the first time at once. */
function atOnceAndEvery(...[intervalMs, task, options]: Parameters<typeof every>): () => Promise<void> {
  let stop = async () => {};
  let isStopped = false;
  const first = task()
    .catch(options.onError)
    .then(() => {
      if (!isStopped) stop = every(intervalMs, task, options);
    });
  return async () => {
    isStopped = true;
    await first;
    await stop();
  };
}

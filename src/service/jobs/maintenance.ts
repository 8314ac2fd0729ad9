import type { Clock } from '../../base/clock.ts';
import { every } from '../../base/wait/every.ts';
import type { OpenStore } from '../store/store.ts';
import type { EndJob } from './ending.ts';
import { removeObjects } from './jobObjects.ts';
import { removeOldLeftovers } from './leftovers.ts';
import { forgetRemoved, removeRows } from './retention.ts';

/** Milliseconds after which a job without a renewed lease counts as abandoned. */
export const LEASE_MS = 120_000;
/** Jobs deleted per query. */
const BATCH = 100;

/** Renews the leases of jobs that run in this process. */
async function renewLeases(store: OpenStore, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await store.db
    .updateTable('jobs')
    .set({ leaseUntil: new Date(now.getTime() + LEASE_MS) })
    .where('id', 'in', ids)
    .where('status', '=', 'in_progress')
    .execute();
}

/**
 * Fails the jobs of processes that ran them outside the queue and have gone.
 *
 * @param options.all fails all such jobs in progress: nobody else uses the store, and this process has not started any
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
    // Queued jobs have no lease, and waiting ones may have that of a person.
    .where('leaseUntil', 'is not', null)
    .where('stage', 'is', null);
  if (!all) orphans = orphans.where('leaseUntil', '<', now);
  for (const { id } of await orphans.execute()) {
    await end(
      id,
      {
        status: 'failed',
        failure: 'internal_processing',
        failureDetail: 'The service stopped while the job was in progress.',
      },
      { at: now },
    );
  }
}

/**
 * Deletes expired jobs until the signal is aborted. Files go before rows, so that an interrupted deletion is completed
 * by the next one.
 */
async function deleteExpired(store: OpenStore, now: Date, signal: AbortSignal): Promise<void> {
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

/** Milliseconds between two rounds of maintenance: the maximum delay of a deletion. */
export const JOB_MAINTENANCE_INTERVAL_MS = 30_000;
/** Milliseconds between two rounds of dropping the positions of deleted jobs. */
const FORGET_INTERVAL_MS = 3_600_000;
/** Milliseconds between two searches for leftover files. */
const LEFTOVERS_INTERVAL_MS = 3_600_000;

export interface MaintenanceOptions {
  readonly opened: Promise<{ readonly store: OpenStore; readonly end: EndJob }>;
  /** Ids of the jobs that this process runs outside the queue. */
  readonly running: ReadonlySet<string>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Maintains jobs at regular intervals; returns a function that ends it. */
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
    // Separate from the round above: it may take long after a downtime.
    [JOB_MAINTENANCE_INTERVAL_MS, ({ store }) => deleteExpired(store, now(), stopping.signal)],
    [LEFTOVERS_INTERVAL_MS, ({ store }) => removeOldLeftovers(store, clock)],
    [FORGET_INTERVAL_MS, ({ store }) => forgetRemoved(store.db, now())],
  ];
  const stops = rounds.map(([intervalMs, round]) =>
    // A store that did not open needs no maintenance; the failure is reported elsewhere.
    atOnceAndEvery(intervalMs, () => opened.then(round, () => {}), { clock, onError }),
  );
  return async () => {
    stopping.abort();
    await Promise.all(stops.map(stop => stop()));
  };
}

/** As `every`, with a first run at once. */
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

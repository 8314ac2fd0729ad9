import type { Clock } from '../../base/clock.ts';
import { every } from '../../base/wait/every.ts';
import { forgetMeters } from '../accounts/accountRows.ts';
import type { OpenStore } from '../store/store.ts';
import { sweepOnce } from '../store/sweepOnce.ts';
import { removeObjects } from './jobObjects.ts';
import { removeOldLeftovers, removeOrphanedResults, type SeenLeftovers } from './leftovers.ts';
import type { JobsContext, OpenJobs } from './openJobs.ts';
import { createOrphanSweep } from './orphans.ts';
import { forgetOld, removeRows } from './retention.ts';

/** Milliseconds after which a lease lapses unless it is renewed. */
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
    await removeObjects(store, ...ids);
    await removeRows(store.db, ids, now);
  }
}

/** Milliseconds between two rounds of maintenance: the maximum delay of a deletion. */
export const JOB_MAINTENANCE_INTERVAL_MS = 30_000;
/** Milliseconds between two rounds of dropping the positions of deleted jobs, and old meters. */
const FORGET_INTERVAL_MS = 3_600_000;
/** Milliseconds between two searches for results without a job, which reads the names of all results. */
const RESULTS_INTERVAL_MS = 24 * 3_600_000;

type Open = Pick<OpenJobs, 'store' | 'end'>;

/** Work that is repeated. */
interface Round {
  readonly everyMs: number;
  readonly work: (open: Open) => Promise<void>;
}

/** Work that one process does for all that share a database. */
interface Sweep extends Round {
  readonly name: string;
  /** Milliseconds since the last sweep after which the first one of this process is due. Default 0, for work of a downtime. */
  readonly firstAfterMs?: number;
}

export interface MaintenanceOptions extends JobsContext<'store' | 'end'> {
  /** Continues the deletion of closed accounts. */
  readonly removeClosed: () => Promise<void>;
  /** Ids of the jobs that this process runs outside the queue. */
  readonly running: ReadonlySet<string>;
}

/** Maintains jobs at regular intervals; returns a function that ends it. */
export function startMaintenance(options: MaintenanceOptions): () => Promise<void> {
  const { opened, clock, onError } = options;
  const stopping = new AbortController();
  const sweeps = sweepsOf(options, stopping.signal).map(sweep => onceForAll(sweep, clock));
  const stops = [...ownRounds(options), ...sweeps].map(({ everyMs, work }) =>
    // A store that did not open needs no maintenance; the failure is reported elsewhere.
    atOnceAndEvery(everyMs, () => opened.then(work, () => {}), { clock, onError }),
  );
  return async () => {
    stopping.abort();
    await Promise.all(stops.map(stop => stop()));
  };
}

function ownRounds({ running, clock }: MaintenanceOptions): readonly Round[] {
  const everyMs = JOB_MAINTENANCE_INTERVAL_MS;
  return [
    { everyMs, work: ({ store }) => renewLeases(store, [...running], new Date(clock.wallTime())) },
    { everyMs, work: createOrphanSweep({ running, clock, intervalMs: everyMs }) },
  ];
}

function sweepsOf({ clock, removeClosed }: MaintenanceOptions, signal: AbortSignal): readonly Sweep[] {
  const now = () => new Date(clock.wallTime());
  const seen: SeenLeftovers = new Map();
  return [
    {
      name: 'expired',
      everyMs: JOB_MAINTENANCE_INTERVAL_MS,
      work: ({ store }) => deleteExpired(store, now(), signal),
    },
    { name: 'accounts', everyMs: JOB_MAINTENANCE_INTERVAL_MS, work: removeClosed },
    {
      name: 'leftovers',
      everyMs: JOB_MAINTENANCE_INTERVAL_MS,
      work: ({ store }) => removeOldLeftovers(store, clock, seen),
    },
    {
      name: 'results',
      everyMs: RESULTS_INTERVAL_MS,
      firstAfterMs: RESULTS_INTERVAL_MS,
      work: ({ store }) => removeOrphanedResults(store),
    },
    {
      name: 'positions',
      everyMs: FORGET_INTERVAL_MS,
      async work({ store: { db } }) {
        await forgetOld(db, now());
        await forgetMeters(db);
      },
    },
  ];
}

function onceForAll({ name, everyMs, firstAfterMs = 0, work }: Sweep, clock: Clock): Round {
  let dueMs = firstAfterMs;
  return {
    everyMs,
    async work(open) {
      const { db, exclusive } = open.store;
      const due = { everyMs: dueMs, now: new Date(clock.wallTime()) };
      if (exclusive) await work(open);
      else await sweepOnce(db, name, due, () => work(open));
      dueMs = everyMs;
    },
  };
}

/** Repeats a task like `every`, with a first run at once. */
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

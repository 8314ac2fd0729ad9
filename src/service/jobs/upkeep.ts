import type { OpenStore } from '../store/store.ts';
import type { EndJob } from './ending.ts';
import { removeObjects } from './jobObjects.ts';
import { removeRows } from './removedJobs.ts';

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

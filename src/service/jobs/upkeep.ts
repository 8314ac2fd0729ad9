import type { OpenStore } from '../store/store.ts';
import { ended } from './record.ts';
import { fromRow, removeJob, removeObjects, saveJob } from './rows.ts';

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
 * Ends the jobs that nobody runs any more, as failed.
 *
 * @param options.all every job in progress is one: nobody else uses the store, and nothing runs here yet
 */
export async function failOrphans(store: OpenStore, now: Date, options = { all: false }): Promise<void> {
  let query = store.db
    .selectFrom('jobs')
    .selectAll()
    .where('status', '=', 'in_progress')
    // What the queue runs has none.
    .where('leaseUntil', 'is not', null)
    .where('stage', 'is', null);
  if (!options.all) query = query.where('leaseUntil', '<', now);
  for (const row of await query.execute()) {
    const record = fromRow(row);
    // A result without its record: the process ended between the two.
    await removeObjects(store, record.id);
    await saveJob(
      store.db,
      ended(
        record,
        {
          status: 'failed',
          failure: 'internal_processing',
          failureDetail: 'The service stopped while the job was in progress',
        },
        now,
      ),
    );
  }
}

/** Deletes the jobs whose time is over. */
export async function deleteExpired(store: OpenStore, now: Date): Promise<void> {
  for (;;) {
    const expired = await store.db
      .selectFrom('jobs')
      .select('id')
      .where('deleteAt', '<=', now)
      .orderBy('deleteAt')
      .limit(BATCH)
      .execute();
    for (const { id } of expired) await removeJob(store, id);
    if (expired.length < BATCH) return;
  }
}

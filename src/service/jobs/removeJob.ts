import type { OpenStore } from '../store/store.ts';
import { removeObjects } from './jobObjects.ts';
import { removeDeliveries } from './outbox.ts';
import type { Queue } from './queue.ts';
import { removeRows } from './removedJobs.ts';

/** Deletes a job that has ended, with all its data: objects, then the row and what is still to be said of it. */
export async function removeJob(store: OpenStore, queue: Queue, id: string, now: Date): Promise<void> {
  await removeObjects(store, id);
  await store.db.transaction().execute(async trx => {
    await removeRows(trx, [id], now);
    await removeDeliveries(trx, queue, id);
  });
}

import type { OpenStore } from '../store/store.ts';
import { removeObjects } from './jobObjects.ts';
import { removeDeliveries } from './outbox.ts';
import type { Queue } from './queue.ts';

/** Deletes a job that has ended, with all its data: objects, then the row and what is still to be said of it. */
export async function removeJob(store: OpenStore, queue: Queue, id: string): Promise<void> {
  await removeObjects(store, id);
  await store.db.transaction().execute(async trx => {
    await trx.deleteFrom('jobs').where('id', '=', id).execute();
    await removeDeliveries(trx, queue, id);
  });
}

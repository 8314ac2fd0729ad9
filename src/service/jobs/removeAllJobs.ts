import type { Clock } from '../../base/clock.ts';
import { settledWithin } from '../../base/wait/settledWithin.ts';
import type { OpenStore } from '../store/store.ts';
import { removeObjects } from './jobObjects.ts';
import { type Lanes, laneOf } from './lanes.ts';
import { removeDeliveries } from './outbox.ts';
import type { Queue } from './queue.ts';

/** Jobs that are deleted between two looks at the table. */
const BATCH = 100;
/** For a run to end when its job is deleted. */
const DROP_TIMEOUT_MS = 10_000;

export interface RemoveAllOptions {
  readonly store: OpenStore;
  readonly queue: Queue;
  readonly lanes: Lanes;
  readonly clock: Clock;
}

/** Deletes every job of an account with all its data; one that runs is ended first, as if it had never been. */
export async function removeAllJobs(
  { store, queue, lanes, clock }: RemoveAllOptions,
  accountId: string,
): Promise<void> {
  for (;;) {
    const jobs = await store.db
      .selectFrom('jobs')
      .select(['id', 'type'])
      .where('accountId', '=', accountId)
      .limit(BATCH)
      .execute();
    if (jobs.length === 0) return;
    for (const { id, type } of jobs) {
      const lane = laneOf(lanes, type).name;
      await store.db.transaction().execute(async trx => {
        await trx.deleteFrom('jobs').where('id', '=', id).execute();
        await queue.remove(trx, lane, id);
        await removeDeliveries(trx, queue, id);
      });
      // Without its row a run writes no result; its files go when it is over.
      await settledWithin(DROP_TIMEOUT_MS, queue.drop(lane, id), clock);
      await removeObjects(store, id);
    }
  }
}

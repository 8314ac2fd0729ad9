import type { Kysely } from 'kysely';
import { queueDelivery } from '../jobs/deliveries.ts';
import type { Queue } from '../jobs/queue.ts';
import { queueJob } from '../jobs/submit.ts';
import type { Lanes } from '../jobs/turns.ts';
import type { Tables } from '../store/tables.ts';

/** Rows per query. */
const BATCH = 500;

/** Queues the jobs in progress and the pending notifications of a store whose queue is empty. */
export async function queueWork(
  trx: Kysely<Tables>,
  { queue, lanes }: { readonly queue: Queue; readonly lanes: Lanes },
): Promise<void> {
  for await (const job of inBatches(last => jobsAfter(trx, last))) {
    await queueJob(trx, { queue, lanes }, job);
  }
  for await (const { requestId, ...delivery } of inBatches(last => deliveriesAfter(trx, last))) {
    await queueDelivery(trx, queue, { ...delivery, origin: { requestId: requestId ?? undefined } });
  }
}

/** Yields all rows of a query that returns those after an id. */
async function* inBatches<T extends { readonly id: string }>(
  query: (last: string) => Promise<readonly T[]>,
): AsyncGenerator<T> {
  let last = '';
  for (;;) {
    const rows = await query(last);
    if (rows.length === 0) return;
    for (const row of rows) {
      yield row;
      last = row.id;
    }
  }
}

function jobsAfter(trx: Kysely<Tables>, last: string) {
  return (
    trx
      .selectFrom('jobs')
      .select(['id', 'type', 'turn'])
      .where('status', '=', 'in_progress')
      .where('stage', 'is', null)
      // Jobs of streams have a lease, and fail when it lapses.
      .where('leaseUntil', 'is', null)
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .execute()
  );
}

function deliveriesAfter(trx: Kysely<Tables>, last: string) {
  return trx
    .selectFrom('deliveries')
    .leftJoin('jobs', 'jobs.id', 'deliveries.jobId')
    .select(['deliveries.id', 'deliveries.url', 'jobs.requestId'])
    .where('deliveries.id', '>', last)
    .orderBy('deliveries.id')
    .limit(BATCH)
    .execute();
}

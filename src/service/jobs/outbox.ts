import type { Kysely } from 'kysely';
import { createId } from '../../base/ids.ts';
import type { Tables } from '../store/tables.ts';
import type { Queue } from './queue.ts';
import type { JobRecord } from './record.ts';

/** The body of the notification about a job, as its area words it. */
export type DescribeJob = (record: JobRecord) => unknown;

/** Writes the notification about a job that has ended, in the transaction that ends it. */
export async function addDelivery(
  trx: Kysely<Tables>,
  { queue, describe, record }: { queue: Queue; describe: DescribeJob; record: JobRecord },
): Promise<void> {
  const { notification, accountId } = record;
  if (!notification || !record.completedOn) return;
  const id = createId();
  await trx
    .insertInto('deliveries')
    .values({
      id,
      jobId: record.id,
      accountId,
      url: notification.url,
      authorization: notification.authorization ?? null,
      body: JSON.stringify(describe(record)),
      createdOn: record.completedOn,
    })
    .execute();
  await queue.add(trx, 'deliveries', id, new URL(notification.url).host);
}

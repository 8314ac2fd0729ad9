import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { createId } from '../../base/ids.ts';
import type { Tables } from '../store/tables.ts';
import { DELIVERIES, type Queue } from './queue.ts';
import type { JobNotification, JobRecord } from './record.ts';

/** The body of the notification about a job, as its area words it. */
export type DescribeJob = (record: JobRecord) => unknown;

export interface NewDelivery {
  readonly queue: Queue;
  readonly describe: DescribeJob;
  /** Of a job that has ended. */
  readonly record: JobRecord;
  readonly notification: JobNotification | undefined;
}

/** Writes the notification about a job, in the transaction that ends it. */
export async function addDelivery(trx: Kysely<Tables>, delivery: NewDelivery): Promise<void> {
  const { queue, describe, record, notification } = delivery;
  if (!notification || !record.completedOn) return;
  const id = createId();
  await trx
    .insertInto('deliveries')
    .values({
      id,
      jobId: record.id,
      accountId: record.accountId,
      url: notification.url,
      authorization: notification.authorization ?? null,
      body: JSON.stringify(describe(record)),
      createdOn: record.completedOn,
    })
    .execute();
  await queue.add(trx, DELIVERIES, id, { group: receiverOf(notification.url) });
}

/** Tells receivers apart, but not who they are: the queue knows nothing of what users wrote. */
function receiverOf(url: string): string {
  return createHash('sha256').update(new URL(url).host).digest('base64url').slice(0, 16);
}

/** Takes back the notification about a job, if it is still to be delivered. */
export async function removeDeliveries(trx: Kysely<Tables>, queue: Queue, jobId: string): Promise<void> {
  const deliveries = await trx.deleteFrom('deliveries').where('jobId', '=', jobId).returning('id').execute();
  for (const { id } of deliveries) await queue.remove(trx, DELIVERIES, id);
}

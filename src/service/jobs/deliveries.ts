import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import type { JobNotification, JobRecord } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { DELIVERIES, type Queue } from './queue.ts';
import type { Entry, Later, Work } from './worker.ts';

/** A notification on its way. */
export interface Delivery {
  readonly url: string;
  /** Sent verbatim. */
  readonly authorization?: string;
  /** Sent as it is. */
  readonly body: string;
  /** The same in every try. */
  readonly deliveryId: string;
  /** Signs the body, when the account has one. */
  readonly secret?: string;
}

/** How a try to deliver ended; the reason is for operators. */
export interface DeliveryOutcome {
  readonly outcome: 'delivered' | 'stopped' | 'retry';
  readonly reason?: string;
}

export interface DeliveriesOptions {
  /** Tries once. */
  readonly deliver: (delivery: Delivery, signal: AbortSignal) => Promise<DeliveryOutcome>;
  /** How long to wait after so many tries. */
  readonly retryDelaySeconds: (tries: number) => number;
  /** How long a notification is tried for. */
  readonly windowMs: number;
}

export interface DeliveryWorkOptions extends DeliveriesOptions {
  readonly store: OpenStore;
  readonly clock: Clock;
  /** A notification that nobody received. */
  readonly onError: (error: unknown) => void;
}

/** Notifications that are on their way at the same time, and those to one receiver, give or take. */
export const DELIVERY_LIMITS = { concurrency: 32, groupConcurrency: 4 } as const;

/** Delivers notifications. One that is delivered, stopped or given up leaves nothing behind. */
export function createDeliveryWork(options: DeliveryWorkOptions): Work {
  const { store, clock, deliver, retryDelaySeconds, windowMs, onError } = options;
  const { db } = store;

  const find = (id: string) =>
    db
      .selectFrom('deliveries')
      .innerJoin('accounts', 'accounts.id', 'deliveries.accountId')
      .selectAll('deliveries')
      .select('accounts.signingSecret')
      .where('deliveries.id', '=', id)
      .executeTakeFirst();

  const forget = async (id: string): Promise<undefined> => {
    await db.deleteFrom('deliveries').where('id', '=', id).execute();
  };

  const attempt = async (delivery: Delivery, signal: AbortSignal): Promise<DeliveryOutcome> => {
    try {
      return await deliver(delivery, signal);
    } catch (error) {
      signal.throwIfAborted();
      onError(error);
      return { outcome: 'retry', reason: 'a fault of the service' };
    }
  };

  return async ({ id, tries }: Entry, signal): Promise<Later | undefined> => {
    const row = await find(id);
    if (!row) return undefined;
    const { url, authorization, body, signingSecret, createdOn } = row;
    const delivery = {
      ...{ url, body, deliveryId: id },
      ...(authorization !== null && { authorization }),
      ...(signingSecret !== null && { secret: signingSecret }),
    };
    const { outcome, reason } = await attempt(delivery, signal);
    if (outcome !== 'retry') return forget(id);
    const againInSeconds = retryDelaySeconds(tries);
    const nextMs = clock.wallTime() + againInSeconds * 1000;
    if (nextMs < createdOn.getTime() + windowMs) return { againInSeconds };
    onError(
      new RxscribeError('unreachable', `deliver notification: gave up after ${tries} tries: ${reason}`),
    );
    return forget(id);
  };
}

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

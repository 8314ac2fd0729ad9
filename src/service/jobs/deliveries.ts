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

/** A notification to one receiver. */
export interface Delivery {
  readonly url: string;
  /** Value of the Authorization header, sent verbatim. */
  readonly authorization?: string;
  /** JSON, sent without changes. */
  readonly body: string;
  /** The same in every attempt. */
  readonly deliveryId: string;
  /** Secret that signs the body, if the account has one. */
  readonly secret?: string;
}

/** The outcome of an attempt, with its reason for operators. */
export interface DeliveryOutcome {
  /** `stopped`: the receiver wants no further attempts. */
  readonly outcome: 'delivered' | 'stopped' | 'retry';
  readonly reason?: string;
}

export interface DeliveriesOptions {
  /** Makes one attempt. */
  readonly deliver: (delivery: Delivery, signal: AbortSignal) => Promise<DeliveryOutcome>;
  /** Returns the seconds to wait after this many attempts. */
  readonly retryDelaySeconds: (tries: number) => number;
  /** Milliseconds after which a notification is given up. */
  readonly windowMs: number;
}

export interface DeliveryWorkOptions extends DeliveriesOptions {
  readonly store: OpenStore;
  readonly clock: Clock;
  /** Called when a notification could not be delivered. */
  readonly onError: (error: unknown) => void;
}

/** Limits on deliveries at the same time: in total, and to one receiver, approximately. */
export const DELIVERY_LIMITS = { concurrency: 32, groupConcurrency: 4 } as const;

/** Returns the work of delivering notifications. One that is delivered, stopped or given up leaves no data. */
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
      return { outcome: 'retry', reason: 'the service failed' };
    }
  };

  return async ({ id, tries }: Entry, signal): Promise<Later | undefined> => {
    const row = await find(id);
    if (!row) return undefined;
    const { url, authorization, body, signingSecret, createdOn } = row;
    const delivery = {
      url,
      body,
      deliveryId: id,
      ...(authorization !== null && { authorization }),
      ...(signingSecret !== null && { secret: signingSecret }),
    };
    const { outcome, reason } = await attempt(delivery, signal);
    if (outcome !== 'retry') return forget(id);
    const againInSeconds = retryDelaySeconds(tries);
    const nextMs = clock.wallTime() + againInSeconds * 1000;
    if (nextMs < createdOn.getTime() + windowMs) return { againInSeconds };
    onError(
      new RxscribeError('unreachable', `Cannot deliver a notification after ${tries} attempts: ${reason}.`),
    );
    return forget(id);
  };
}

/** Returns the body of the notification about a job, in the format of its area. */
export type DescribeJob = (record: JobRecord) => unknown;

export interface NewDelivery {
  readonly queue: Queue;
  readonly describe: DescribeJob;
  /** A job that has ended. */
  readonly record: JobRecord;
  readonly notification: JobNotification | undefined;
}

/** Adds the notification about a job, within the transaction that ends the job. */
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

/** Returns a hash of the receiver: the queue contains nothing that users wrote. */
function receiverOf(url: string): string {
  return createHash('sha256').update(new URL(url).host).digest('base64url').slice(0, 16);
}

/** Removes the pending notification about a job, if any. */
export async function removeDeliveries(trx: Kysely<Tables>, queue: Queue, jobId: string): Promise<void> {
  const deliveries = await trx.deleteFrom('deliveries').where('jobId', '=', jobId).returning('id').execute();
  for (const { id } of deliveries) await queue.remove(trx, DELIVERIES, id);
}

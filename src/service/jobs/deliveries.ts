import { createHash } from 'node:crypto';
import { SpanKind } from '@opentelemetry/api';
import { type Kysely, sql } from 'kysely';
import { defined } from '../../base/defined.ts';
import { createId } from '../../base/ids.ts';
import type { JobNotification, JobRecord } from '../store/jobRecord.ts';
import type { Tables } from '../store/tables.ts';
import { activeTraceparent, contextAfter, failSpan, inSpan, type Origin } from '../telemetry/tracing.ts';
import type { WorkContext } from './jobLog.ts';
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
  /** Id of the request that submitted the job. */
  readonly requestId?: string;
}

/** The outcome of an attempt, with its reason for operators, which contains neither query nor token. */
export interface DeliveryOutcome {
  /** `stopped`: the receiver wants no further attempts. */
  readonly outcome: 'delivered' | 'stopped' | 'retry';
  readonly reason?: string;
  /** Status of the answer, if there was one. */
  readonly status?: number;
}

export interface DeliveriesOptions {
  /** Makes one attempt. */
  readonly deliver: (delivery: Delivery, signal: AbortSignal) => Promise<DeliveryOutcome>;
  /** Returns the seconds to wait after this many attempts. */
  readonly retryDelaySeconds: (tries: number) => number;
  /** Milliseconds after which a notification is given up. */
  readonly windowMs: number;
}

export type DeliveryWorkOptions = DeliveriesOptions & WorkContext;

/**
 * Limits on deliveries: at the same time in total and, approximately, to one receiver; and the wait for answers when the
 * service stops, without which receivers would get some notifications twice.
 */
export const DELIVERY_LIMITS = { concurrency: 32, groupConcurrency: 4, closeGraceMs: 5000 } as const;

/** Returns the work of delivering notifications. A notification that is delivered, stopped or given up leaves no data. */
export function createDeliveryWork(options: DeliveryWorkOptions): Work {
  const { store, clock, retryDelaySeconds, windowMs } = options;
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

  return async ({ id, tries, origin = {} }: Entry, signal): Promise<Later | undefined> => {
    const row = await find(id);
    if (!row) return undefined;
    const { url, authorization, body, signingSecret, createdOn, jobId, accountId } = row;
    const { requestId } = origin;
    const delivery = {
      url,
      body,
      deliveryId: id,
      authorization: authorization ?? undefined,
      secret: signingSecret ?? undefined,
      requestId,
    };
    const attempt = { jobId, accountId, tries, origin };
    const made = await attemptDelivery(delivery, attempt, signal, options);
    await showFailure(db, jobId, made);
    if (made.outcome !== 'retry') {
      report(delivery, attempt, { ...made, outcome: OUTCOMES[made.outcome] }, options);
      return forget(id);
    }
    const againInSeconds = retryDelaySeconds(tries);
    const nextMs = clock.wallTime() + againInSeconds * 1000;
    const isLate = nextMs >= createdOn.getTime() + windowMs;
    report(delivery, attempt, { ...made, outcome: isLate ? 'given_up' : 'retried' }, options);
    return isLate ? forget(id) : { againInSeconds };
  };
}

/** Stores in the job why the last attempt failed, until an attempt succeeds. */
async function showFailure(
  db: Kysely<Tables>,
  jobId: string,
  { outcome, reason = 'the receiver wants none' }: DeliveryOutcome,
): Promise<void> {
  const shown = outcome === 'delivered' ? null : reason;
  const findings = sql<string>`jsonb_strip_nulls(
    coalesce(findings, '{}'::jsonb) || jsonb_build_object('notificationFailure', ${shown}::text))`;
  await db
    .updateTable('jobs')
    .set({ findings: findings as never })
    .where('id', '=', jobId)
    .where(sql<boolean>`findings ->> 'notificationFailure' is distinct from ${shown}::text`)
    .execute();
}

/** An attempt to deliver a notification. */
interface Attempt {
  readonly jobId: string;
  readonly accountId: string;
  readonly tries: number;
  readonly origin: Origin;
}

const OUTCOMES = { delivered: 'delivered', stopped: 'refused' } as const;

async function attemptDelivery(
  delivery: Delivery,
  { jobId, accountId, tries, origin }: Attempt,
  signal: AbortSignal,
  { deliver, onError }: DeliveryWorkOptions,
): Promise<DeliveryOutcome> {
  const attributes = {
    'rxscribe.delivery.id': delivery.deliveryId,
    'rxscribe.job.id': jobId,
    'rxscribe.account.id': accountId,
    'rxscribe.request.id': origin.requestId,
    'rxscribe.delivery.attempt': tries,
    'http.request.method': 'POST',
  };
  const settings = { kind: SpanKind.CLIENT, attributes, parent: contextAfter(origin) };
  return inSpan('deliver notification', settings, async span => {
    try {
      const made = await deliver(delivery, signal);
      const { outcome, status } = made;
      const found = { 'rxscribe.delivery.outcome': outcome, 'http.response.status_code': status };
      span.setAttributes(defined(found));
      if (outcome === 'retry') failSpan(span, String(status ?? 'unreachable'));
      return made;
    } catch (error) {
      signal.throwIfAborted();
      failSpan(span, error);
      onError(error);
      return { outcome: 'retry', reason: 'the service failed' };
    }
  });
}

/** Reports the outcome of an attempt in the log and the metrics. */
function report(
  { deliveryId: delivery, requestId: request }: Delivery,
  { jobId: job, accountId: account, tries }: Attempt,
  made: Omit<DeliveryOutcome, 'outcome'> & {
    readonly outcome: 'delivered' | 'refused' | 'retried' | 'given_up';
  },
  { instruments, log }: DeliveryWorkOptions,
): void {
  const { outcome, reason, status } = made;
  instruments.add('deliveries', 1, { outcome });
  const fields = { delivery, job, account, request, tries, status, reason };
  if (outcome === 'given_up') log.warn(fields, 'notification given up');
  else log.info(fields, `notification ${outcome}`);
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
  const origin = { requestId: record.requestId, traceparent: activeTraceparent() };
  await queueDelivery(trx, queue, { id, url: notification.url, origin });
}

/** Adds the entry of a notification to its queue. */
function queueDelivery(
  trx: Kysely<Tables>,
  queue: Queue,
  { id, url, origin }: Pick<Delivery, 'url'> & { readonly id: string; readonly origin?: Origin },
): Promise<void> {
  return queue.add(trx, DELIVERIES, id, { group: receiverOf(url), origin });
}

/** Returns a hash of the receiver: the queue contains no addresses. */
function receiverOf(url: string): string {
  return createHash('sha256').update(new URL(url).host).digest('base64url').slice(0, 16);
}

/** Removes the pending notification about a job, if any. */
export async function removeDeliveries(trx: Kysely<Tables>, queue: Queue, jobId: string): Promise<void> {
  const deliveries = await trx.deleteFrom('deliveries').where('jobId', '=', jobId).returning('id').execute();
  await queue.remove(
    trx,
    deliveries.map(({ id }) => id),
  );
}

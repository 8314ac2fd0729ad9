import type { Clock } from '../../base/clock.ts';
import { fromRow, type JobOutcome, type JobRecord, toRow } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import { settleCredit } from './credit.ts';
import { addDelivery, type DescribeJob } from './deliveries.ts';
import { removeObjects, removeSubmitted, resultKey } from './jobObjects.ts';
import { DELIVERIES, type Queue } from './queue.ts';
import { removeRows } from './retention.ts';
import { costOf, ended } from './transitions.ts';

export interface EndingOptions {
  readonly store: OpenStore;
  readonly queue: Queue;
  readonly describe: DescribeJob;
  readonly clock: Clock;
  /** Called when files could not be removed; the next start removes them. */
  readonly onError: (error: unknown) => void;
}

/** Result texts by name. */
export type Results = Readonly<Record<string, string>>;

export interface EndOptions {
  readonly results?: Results;
  /** Default: now. */
  readonly at?: Date;
  /** Ends the job only at this stage. Default: at any. */
  readonly stage?: JobRecord['stage'];
  /** True when the use of the job is already booked. Default false. */
  readonly isPaid?: boolean;
}

/**
 * Ends a job in progress in one transaction: results, record, credit and notification.
 *
 * @returns false when there is no such job in progress
 */
export type EndJob = (id: string, outcome: JobOutcome, options?: EndOptions) => Promise<boolean>;

export function createEndJob({ store, queue, describe, clock, onError }: EndingOptions): EndJob {
  const { db } = store;
  return async (id, outcome, { results = {}, at = new Date(clock.wallTime()), stage, isPaid } = {}) => {
    const record = await db.transaction().execute(async trx => {
      let query = trx.selectFrom('jobs').selectAll().where('id', '=', id).where('status', '=', 'in_progress');
      if (stage) query = query.where('stage', '=', stage);
      const row = await query.forUpdate().executeTakeFirst();
      if (!row) return undefined;
      const before = fromRow(row);
      const after = ended(before, outcome, at);
      if (after.retentionSeconds === 0) {
        await removeRows(trx, [id], at);
      } else {
        // While the row is locked, so that another process running the same job cannot change the results later.
        await putResults(store, id, results);
        await trx.updateTable('jobs').set(toRow(after)).where('id', '=', id).execute();
      }
      const used = isPaid ? 0 : costOf(after);
      await settleCredit(trx, after.accountId, { held: before.reservedSeconds, used });
      await addDelivery(trx, { queue, describe, record: after, notification: before.notification });
      return after;
    });
    if (!record) return false;
    if (record.notification) queue.wake(DELIVERIES);
    const isKept = record.status === 'done' && record.retentionSeconds !== 0;
    await (isKept ? removeSubmitted : removeObjects)(store, id).catch(onError);
    return true;
  };
}

/** Stores the results of a job. */
export async function putResults({ objects }: OpenStore, id: string, results: Results): Promise<void> {
  for (const [name, contents] of Object.entries(results)) await objects.put(resultKey(id, name), contents);
}

import type { Clock } from '../../base/clock.ts';
import type { JobOutcome, JobRecord } from '../store/jobRecord.ts';
import { fromRow, toRow } from '../store/jobRecord.ts';
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
  /** Something is left over; the next start removes it. */
  readonly onError: (error: unknown) => void;
}

/** Texts by name. */
export type Results = Readonly<Record<string, string>>;

export interface EndOptions {
  readonly results?: Results;
  /** Default: now. */
  readonly at?: Date;
  /** Only a job of this stage is ended. Default: of any. */
  readonly stage?: JobRecord['stage'];
  /** What the job has used is booked already. Default false. */
  readonly isPaid?: boolean;
}

/**
 * Ends a job that is in progress: its results, its record, its credit and its notification, all of it or nothing.
 *
 * @returns false when there is nothing to end
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
        // While the row is locked: whoever else runs the job, as somebody believed to be gone may, cannot change them later.
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

/** Writes what a job produced. */
export async function putResults({ objects }: OpenStore, id: string, results: Results): Promise<void> {
  for (const [name, contents] of Object.entries(results)) await objects.put(resultKey(id, name), contents);
}

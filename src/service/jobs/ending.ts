import type { Clock } from '../../base/clock.ts';
import { withAbort } from '../../base/wait/withTimeout.ts';
import { createWakeSignal } from '../lifecycle/wakeSignal.ts';
import { fromRow, type JobOutcome, type JobRecord, toColumns } from '../store/jobRecord.ts';
import { settleCredit } from './credit.ts';
import { addDelivery, type DescribeJob } from './deliveries.ts';
import { jobFields, type WorkContext } from './jobLog.ts';
import { removeObjects, removeSubmitted } from './jobObjects.ts';
import { type Results, recordResults } from './jobResults.ts';
import type { AllowEnd, EndedJob } from './jobs.ts';
import { DELIVERIES, type Queue } from './queue.ts';
import { removeRows } from './retention.ts';
import { costOf, ended } from './transitions.ts';

export interface EndingOptions extends WorkContext {
  readonly queue: Queue;
  readonly describe: DescribeJob;
  /** Called with each job that has ended, and its results. Default: not called. */
  readonly onEnd?: (record: JobRecord, results: Results) => void;
}

export interface EndOptions {
  readonly results?: Results;
  /** Folder of the results, where another process may have some too. Default: that of a first run. */
  readonly resultsId?: string;
  /** Default: now. */
  readonly at?: Date;
  /** Ends the job only at this stage. Default: at any. */
  readonly stage?: JobRecord['stage'];
  /** Ends the job only while it has this lease. Default: with any. */
  readonly leaseUntil?: Date;
  /** Ends the job only when this is true, in the same transaction. */
  readonly isAllowed?: AllowEnd;
  /** True when the use of the job is already booked, or free. Default false. */
  readonly isPaid?: boolean;
}

/**
 * Stores the results of a job in progress, and ends it in one transaction: record, credit and notification.
 *
 * @returns false when there is no such job in progress
 */
export type EndJob = (id: string, outcome: JobOutcome, options?: EndOptions) => Promise<boolean>;

export function createEndJob(options: EndingOptions): EndJob {
  const { store, queue, describe, clock, onError } = options;
  const { db } = store;
  return async (
    id,
    outcome,
    { at = new Date(clock.wallTime()), stage, leaseUntil, isAllowed, isPaid, ...found } = {},
  ) => {
    const { results = {}, resultsId } = found;
    const endRow = () =>
      db.transaction().execute(async trx => {
        let query = trx
          .selectFrom('jobs')
          .selectAll()
          .where('id', '=', id)
          .where('status', '=', 'in_progress');
        if (stage) query = query.where('stage', '=', stage);
        if (leaseUntil) query = query.where('leaseUntil', '=', leaseUntil);
        const row = await query.forUpdate().executeTakeFirst();
        if (!row) return undefined;
        const before = fromRow(row);
        if (isAllowed && !(await isAllowed(trx, before))) return undefined;
        const after = { ...ended(before, outcome, at), resultsId: resultsId ?? before.resultsId };
        if (after.retentionSeconds === 0) {
          await removeRows(trx, [id], at);
        } else {
          const columns = { ...toColumns(after), stage: null, leaseUntil: null, claimedBy: null };
          await trx.updateTable('jobs').set(columns).where('id', '=', id).execute();
        }
        if (before.stage) await trx.deleteFrom('deskDrafts').where('jobId', '=', id).execute();
        const used = isPaid ? 0 : costOf(after);
        await settleCredit(trx, after.accountId, { held: before.reservedSeconds, used });
        await addDelivery(trx, { queue, describe, record: after, notification: before.notification });
        return after;
      });
    const record = await recordResults(store, { id, resultsId, results }, endRow);
    if (!record) return false;
    options.onEnd?.(record, results);
    reportEnd(record, options);
    if (record.notification) queue.wake(DELIVERIES);
    const isKept = record.status === 'done' && record.retentionSeconds !== 0;
    // The next start removes remaining files.
    await (isKept ? removeSubmitted : removeObjects)(store, id).catch(error => onError(error));
    return true;
  };
}

function reportEnd(record: JobRecord, { instruments, log }: EndingOptions): void {
  const { type, status: outcome, failure, durationSeconds } = record;
  instruments.add('jobsEnded', 1, { type, outcome, ...(failure !== undefined && { failure }) });
  log.info({ ...jobFields(record), outcome, failure, seconds: durationSeconds }, 'job ended');
}

/** Milliseconds until the first poll of a job, which another process may run, and at most between two polls. */
const LOOK_MS = { first: 500, most: 8000 } as const;

/** Creates the waits for the ends of jobs. Results that are not stored are available only here. */
export function createJobEnds(clock: Clock) {
  const waits = new Map<string, (ended: EndedJob | undefined) => void>();
  let isStopping = false;
  return {
    /** Reports a job that has ended in this process. */
    report(record: JobRecord, results: Results): void {
      waits.get(record.id)?.({ record, results });
    },

    /** Ends all waits, also those that begin later. */
    stop(): void {
      isStopping = true;
      for (const wake of waits.values()) wake(undefined);
    },

    /**
     * Resolves with a job when it has ended; with undefined when it does not exist any more.
     *
     * @param find returns the job as it is stored
     * @throws the signal's reason
     */
    async wait(
      id: string,
      find: () => Promise<JobRecord | undefined>,
      signal: AbortSignal,
    ): Promise<EndedJob | undefined> {
      const place = createWakeSignal(clock);
      let ended: EndedJob | undefined;
      waits.set(id, found => {
        ended ??= found;
        place.wake();
      });
      try {
        for (let lookMs: number = LOOK_MS.first; ; lookMs = Math.min(2 * lookMs, LOOK_MS.most)) {
          const record = await find();
          if (ended) return ended;
          if (record?.status !== 'in_progress' || isStopping) return record && { record };
          await withAbort(place.woken(lookMs), signal);
        }
      } finally {
        waits.delete(id);
        place.wake();
      }
    },
  };
}

import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { toRow } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import type { EndJob } from './ending.ts';
import type { NewJob, RunningJob } from './jobs.ts';
import { LEASE_MS } from './maintenance.ts';
import { retentionOf } from './retention.ts';
import { retryUntilStored } from './storeRetry.ts';
import { begun } from './transitions.ts';

export interface StreamedJobsOptions {
  readonly opened: Promise<{ readonly store: OpenStore; readonly end: EndJob }>;
  readonly clock: Clock;
  /** A write that failed. */
  readonly onError: (error: unknown) => void;
}

/** Jobs that this process runs itself, such as streams: nobody waits for what is written of them. */
export interface StreamedJobs {
  start(job: NewJob): RunningJob;
  /** Ids of those that run. */
  readonly running: ReadonlySet<string>;
  /** Resolves when what is known of a job by now is written. */
  written(id: string): Promise<void>;
  /** Resolves when everything that ended is written. */
  close(): Promise<void>;
}

export function createStreamedJobs({ opened, clock, onError }: StreamedJobsOptions): StreamedJobs {
  const running = new Set<string>();
  /** The last write of a job, while it is under way. */
  const writes = new Map<string, Promise<void>>();
  const closing = new AbortController();
  const now = () => new Date(clock.wallTime());

  /** Writes in the background, one after the other for each job. */
  function inTurn(id: string, write: () => Promise<void>): void {
    const before = writes.get(id) ?? Promise.resolve();
    const written = before
      .then(write)
      .catch(onError)
      .finally(() => {
        if (writes.get(id) === written) writes.delete(id);
      });
    writes.set(id, written);
  }

  async function insert(job: NewJob, createdOn: Date): Promise<void> {
    const { db } = (await opened).store;
    const leaseUntil = new Date(clock.wallTime() + LEASE_MS);
    const retentionSeconds = await retentionOf(db, job);
    const record = begun(job, { createdOn, retentionSeconds, leaseUntil, attempts: 1 });
    // It may be there: whoever lost the connection while writing it does not know.
    const row = toRow(record);
    await db
      .insertInto('jobs')
      .values(row)
      .onConflict(conflict => conflict.column('id').doNothing())
      .execute();
  }

  return {
    running,
    start(job) {
      const createdOn = now();
      let isInserted = false;
      const begin = async () => {
        if (!isInserted) await insert(job, createdOn);
        isInserted = true;
      };
      running.add(job.id);
      inTurn(job.id, begin);
      return {
        end(outcome, results) {
          if (!running.delete(job.id)) return;
          const at = now();
          const write = async () => {
            // Once more, in case that the store was away before.
            await begin();
            await (await opened).end(job.id, outcome, { results, at, isPaid: true });
          };
          inTurn(job.id, () => retryUntilStored(write, { clock, signal: closing.signal, onError }));
        },
      };
    },
    written: async id => writes.get(id),
    async close() {
      closing.abort(new RxscribeError('store', 'write job: wanted the store, found it away'));
      await Promise.all(writes.values());
    },
  };
}

import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { toColumns } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import { retryUntilStored } from '../store/storeRetry.ts';
import type { EndJob } from './ending.ts';
import type { NewJob, RunningJob } from './jobs.ts';
import { LEASE_MS } from './maintenance.ts';
import { retentionOf } from './retention.ts';
import { begun } from './transitions.ts';

export interface StreamedJobsOptions {
  readonly opened: Promise<{ readonly store: OpenStore; readonly end: EndJob }>;
  readonly clock: Clock;
  /** Called when a write failed. */
  readonly onError: (error: unknown) => void;
}

/** Jobs that this process runs outside the queue, such as streams. Their records are written in the background. */
export interface StreamedJobs {
  start(job: NewJob): RunningJob;
  /** Ids of jobs that run, or whose end is not saved yet. */
  readonly running: ReadonlySet<string>;
  /** Resolves when the writes for a job so far are done. */
  written(id: string): Promise<void>;
  /** Resolves when all jobs that ended are saved. */
  close(): Promise<void>;
}

export function createStreamedJobs({ opened, clock, onError }: StreamedJobsOptions): StreamedJobs {
  const running = new Set<string>();
  /** The latest write of each job, while in progress. */
  const writes = new Map<string, Promise<void>>();
  const closing = new AbortController();
  const now = () => new Date(clock.wallTime());

  /** Runs a write in the background, in order for each job. */
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
    // The row may exist: an earlier attempt may have lost the connection during its commit.
    const row = toColumns(record);
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
      let hasEnded = false;
      const begin = async () => {
        if (!isInserted) await insert(job, createdOn);
        isInserted = true;
      };
      running.add(job.id);
      inTurn(job.id, begin);
      return {
        end(outcome, results) {
          if (hasEnded) return;
          hasEnded = true;
          const at = now();
          const write = async () => {
            // Again, in case the store was unreachable at the start.
            await begin();
            await (await opened).end(job.id, outcome, { results, at, isPaid: true });
          };
          const save = () => retryUntilStored(write, { clock, signal: closing.signal, onError });
          // Its lease is renewed until then, or others would fail it.
          inTurn(job.id, () => save().finally(() => running.delete(job.id)));
        },
      };
    },
    written: async id => writes.get(id),
    async close() {
      closing.abort(new RxscribeError('store', 'Cannot write the job: the store is unreachable.'));
      await Promise.all(writes.values());
    },
  };
}

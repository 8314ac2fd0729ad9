import type { Kysely } from 'kysely';
import { RxscribeError } from '../../base/errors.ts';
import { toColumns } from '../store/jobRecord.ts';
import type { Tables } from '../store/tables.ts';
import { retryUntilStored } from '../store/untilReachable.ts';
import type { NewJob, RunningJob } from './jobs.ts';
import { LEASE_MS } from './maintenance.ts';
import type { JobsContext } from './openJobs.ts';
import { retentionOf } from './retention.ts';
import { begun } from './transitions.ts';

/** Creates the jobs that this process runs outside the queue, such as streams. Their records are written in the background. */
export function createStreamedJobs({ opened, clock, onError }: JobsContext<'store' | 'end'>) {
  /** Ids of jobs that run, or whose end is not saved yet. */
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

  return {
    running: running as ReadonlySet<string>,

    start(job: NewJob): RunningJob {
      const createdOn = now();
      let isInserted = false;
      let hasEnded = false;
      const begin = async () => {
        if (!isInserted) await insert((await opened).store.db, job, { createdOn, now: now() });
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
          // The lease is renewed until the end is saved, or other processes would fail the job.
          inTurn(job.id, () => save().finally(() => running.delete(job.id)));
        },
      };
    },
    /** Resolves when the writes for a job so far are done. */
    written: async (id: string) => writes.get(id),

    /** Resolves when all jobs that ended are saved. */
    async close() {
      closing.abort(new RxscribeError('store', 'Cannot write the job: the store is unreachable.'));
      await Promise.all(writes.values());
    },
  };
}

async function insert(
  db: Kysely<Tables>,
  job: NewJob,
  { createdOn, now }: { readonly createdOn: Date; readonly now: Date },
): Promise<void> {
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const retentionSeconds = await retentionOf(db, job);
  const record = begun(job, { createdOn, retentionSeconds, leaseUntil, attempts: 1 });
  await db
    .insertInto('jobs')
    .values(toColumns(record))
    // The row may exist: an earlier attempt may have lost the connection during its commit.
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute();
}

import { rm } from 'node:fs/promises';
import type { Kysely } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { type JobRecord, type JobRow, toColumns } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { Origin } from '../telemetry/tracing.ts';
import { holdCredit } from './credit.ts';
import { inputKey, mediaKey, removeObjects, SUBMITTED } from './jobObjects.ts';
import type { Submission } from './jobs.ts';
import { SUBMISSION_MS } from './leftovers.ts';
import type { OpenJobs } from './openJobs.ts';
import { retentionOf } from './retention.ts';
import { begun } from './transitions.ts';
import { laneOf } from './turns.ts';

/**
 * Queues a job in one transaction: credit, record and entry. Input and media are stored first, so that no job is without
 * them.
 *
 * @throws OutOfCreditError
 */
export async function submitJob(jobs: OpenJobs, submission: Submission, clock: Clock): Promise<JobRecord> {
  const { store, queue, turns, lanes } = jobs;
  const { input, media, reserveSeconds, traceparent, ...job } = submission;
  const lane = laneOf(lanes, job.type).name;
  const startMs = clock.wallTime();
  const reservedSeconds = Math.ceil(reserveSeconds);
  try {
    if (media !== undefined) {
      await store.objects.adopt(mediaKey(job.id), media);
      // The file still exists if the object is not a file of this machine.
      await rm(media, { force: true });
    }
    if (input !== undefined) await store.objects.put(inputKey(job.id), JSON.stringify(input));
    const record = await store.db.transaction().execute(async trx => {
      await holdCredit(trx, job.accountId, reservedSeconds);
      const turn = await turns.next(trx, job);
      const retentionSeconds = await retentionOf(trx, job);
      const createdOn = new Date(clock.wallTime());
      const record = begun(job, { createdOn, retentionSeconds, reservedSeconds, turn });
      await trx.insertInto('jobs').values(toColumns(record)).execute();
      await queueJob(trx, jobs, record, { traceparent });
      const isLate = clock.wallTime() - startMs > SUBMISSION_MS / 2;
      if (isLate) await requireSubmitted(store, submission);
      return record;
    });
    queue.wake(lane);
    return record;
  } catch (error) {
    await removeUnlessQueued(store, job.id);
    throw error;
  }
}

/** Checks the files once more: another process may have removed them as leftovers while this one stood still. */
async function requireSubmitted({ objects }: OpenStore, { id, media, input }: Submission): Promise<void> {
  const left: string[] = [];
  for await (const name of objects.names(`${SUBMITTED}/${id}`)) left.push(name);
  const wanted = Number(media !== undefined) + Number(input !== undefined);
  if (left.length >= wanted) return;
  throw new RxscribeError('store', 'Cannot submit the job: it took so long that its files were removed.');
}

/** Adds the entry of a job to the queue of its lane. */
function queueJob(
  trx: Kysely<Tables>,
  { queue, lanes }: Pick<OpenJobs, 'queue' | 'lanes'>,
  { id, type, turn }: Pick<JobRow, 'id' | 'type'> & { readonly turn?: number | null },
  origin?: Origin,
): Promise<void> {
  return queue.add(trx, laneOf(lanes, type).name, id, { priority: -(turn ?? 0), origin });
}

/** Removes the files of a job without a row: a lost connection during the commit leaves it open whether there is one. */
async function removeUnlessQueued(store: OpenStore, id: string): Promise<void> {
  try {
    const row = await store.db.selectFrom('jobs').select('id').where('id', '=', id).executeTakeFirst();
    if (!row) await removeObjects(store, id);
  } catch {
    // The first error is the one to report. The next start removes the files.
  }
}

import type { Clock } from '../../base/clock.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import { toRow } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import { holdCredit } from './credit.ts';
import { inputKey, mediaKey, removeObjects } from './jobObjects.ts';
import type { Submission } from './jobs.ts';
import type { Queue } from './queue.ts';
import { retentionOf } from './retention.ts';
import { begun } from './transitions.ts';
import type { Turns } from './turns.ts';
import { type Lanes, laneOf } from './turns.ts';

export interface SubmitOptions {
  readonly store: OpenStore;
  readonly queue: Queue;
  readonly turns: Turns;
  readonly lanes: Lanes;
  readonly clock: Clock;
}

/**
 * Takes a job: its credit, its record and its entry in the queue, all of it or nothing. What was submitted is written
 * before, so that there is no job without it.
 *
 * @throws OutOfCreditError
 */
export async function submitJob(options: SubmitOptions, submission: Submission): Promise<JobRecord> {
  const { store, queue, turns, lanes, clock } = options;
  const { input, media, reserveSeconds, ...job } = submission;
  const lane = laneOf(lanes, job.type).name;
  const reservedSeconds = Math.ceil(reserveSeconds);
  try {
    if (media !== undefined) await store.objects.adopt(mediaKey(job.id), media);
    if (input !== undefined) await store.objects.put(inputKey(job.id), JSON.stringify(input));
    const record = await store.db.transaction().execute(async trx => {
      await holdCredit(trx, job.accountId, reservedSeconds);
      const turn = await turns.next(trx, job);
      const retentionSeconds = await retentionOf(trx, job);
      const createdOn = new Date(clock.wallTime());
      const record = begun(job, { createdOn, retentionSeconds, reservedSeconds, turn });
      await trx.insertInto('jobs').values(toRow(record)).execute();
      await queue.add(trx, lane, job.id, { priority: -turn });
      return record;
    });
    queue.wake(lane);
    return record;
  } catch (error) {
    await removeUnlessTaken(store, job.id);
    throw error;
  }
}

/** A connection that is lost in a commit does not tell whether there is a job now. If that cannot be asked, the next start does. */
async function removeUnlessTaken(store: OpenStore, id: string): Promise<void> {
  try {
    const row = await store.db.selectFrom('jobs').select('id').where('id', '=', id).executeTakeFirst();
    if (!row) await removeObjects(store, id);
  } catch {
    // What was thrown first is what counts.
  }
}

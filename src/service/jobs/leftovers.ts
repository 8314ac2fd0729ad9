import type { Clock } from '../../base/clock.ts';
import type { JobStatus } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import { RESULTS, removeObjects, removeSubmitted, SUBMITTED } from './jobObjects.ts';

/** Ids per query. */
const BATCH = 500;

/** Maximum age of the files of a job that is still being submitted. */
const AGE_MS = 3_600_000;

/**
 * Finds files left by a process that was killed between writing files and rows: input of jobs that were never queued or
 * have ended, and results of jobs that do not exist.
 *
 * @returns a function that removes them. Call before this process submits anything, since files are written before rows.
 */
export async function findLeftovers(store: OpenStore, clock: Clock): Promise<() => Promise<void>> {
  const submitted = await store.objects.names(SUBMITTED);
  const results = await store.objects.names(RESULTS);
  return async () => {
    await removeUnqueued(store, submitted, store.exclusive ? undefined : clock);
    for (const ids of batches(results)) {
      const statuses = await statusesOf(store, ids);
      for (const id of ids.filter(id => !statuses.has(id))) await removeObjects(store, id);
    }
  };
}

/** Removes old input of jobs that were never queued, and of jobs that have ended. */
export async function removeOldLeftovers(store: OpenStore, clock: Clock): Promise<void> {
  await removeUnqueued(store, await store.objects.names(SUBMITTED), clock);
}

/** @param clock spares young files; absent when no job is being submitted */
async function removeUnqueued(store: OpenStore, submitted: readonly string[], clock?: Clock): Promise<void> {
  for (const ids of batches(submitted)) {
    const statuses = await statusesOf(store, ids);
    for (const id of ids.filter(id => statuses.get(id) !== 'in_progress')) {
      if (statuses.has(id) || !clock || (await isOld(store, id, clock))) await removeSubmitted(store, id);
    }
  }
}

async function statusesOf({ db }: OpenStore, ids: readonly string[]): Promise<Map<string, JobStatus>> {
  const rows = await db.selectFrom('jobs').select(['id', 'status']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, status }) => [id, status]));
}

async function isOld({ objects }: OpenStore, id: string, clock: Clock): Promise<boolean> {
  const changedOn = await objects.changedOn(`${SUBMITTED}/${id}`);
  return changedOn !== undefined && clock.wallTime() - changedOn.getTime() > AGE_MS;
}

function* batches(ids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < ids.length; at += BATCH) yield ids.slice(at, at + BATCH);
}

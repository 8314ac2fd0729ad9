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
 * have ended, and results of jobs that do not exist. For a store that no other process uses.
 *
 * @returns a function that removes them. Call before this process submits anything, since files are written before rows.
 */
export async function findLeftovers(store: OpenStore): Promise<() => Promise<void>> {
  const submitted: string[] = [];
  for await (const id of store.objects.names(SUBMITTED)) submitted.push(id);
  const results: string[] = [];
  for await (const id of store.objects.names(RESULTS)) results.push(id);
  return async () => {
    await removeUnqueued(store, submitted);
    await removeOrphans(store, results);
  };
}

/** Removes old input of jobs that were never queued, and of jobs that have ended. */
export async function removeOldLeftovers(store: OpenStore, clock: Clock): Promise<void> {
  await removeUnqueued(store, store.objects.names(SUBMITTED), clock);
}

/** Removes results of jobs that do not exist. */
export async function removeOrphanedResults(store: OpenStore): Promise<void> {
  await removeOrphans(store, store.objects.names(RESULTS));
}

type Ids = Iterable<string> | AsyncIterable<string>;

async function removeOrphans(store: OpenStore, results: Ids): Promise<void> {
  for await (const ids of batches(results)) {
    const statuses = await statusesOf(store, ids);
    for (const id of ids.filter(id => !statuses.has(id))) await removeObjects(store, id);
  }
}

/** @param clock spares young files; absent when no job is being submitted */
async function removeUnqueued(store: OpenStore, submitted: Ids, clock?: Clock): Promise<void> {
  for await (const ids of batches(submitted)) {
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

async function* batches(ids: Ids): AsyncGenerator<readonly string[]> {
  let batch: string[] = [];
  for await (const id of ids) {
    batch.push(id);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

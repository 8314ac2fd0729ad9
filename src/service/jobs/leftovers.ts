import type { Clock } from '../../base/clock.ts';
import type { JobStatus } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import { RESULTS, removeObjects, removeSubmitted, SUBMITTED } from './jobObjects.ts';

/** Ids that are asked for at once. */
const BATCH = 500;

/** Files of a job that is just being submitted are younger. */
const AGE_MS = 3_600_000;

/**
 * Finds what a process left that was killed between its files and its rows: what was submitted for a job that was not
 * taken or has ended, and what was produced by a job that is not there.
 *
 * @returns removes it. To be found before this process submits anything, whose files come before its rows.
 */
export async function findLeftovers(store: OpenStore, clock: Clock): Promise<() => Promise<void>> {
  const submitted = await store.objects.names(SUBMITTED);
  const results = await store.objects.names(RESULTS);
  return async () => {
    await removeUntaken(store, submitted, store.exclusive ? undefined : clock);
    for (const ids of batches(results)) {
      const statuses = await statusesOf(store, ids);
      for (const id of ids.filter(id => !statuses.has(id))) await removeObjects(store, id);
    }
  };
}

/** Removes what has long been submitted for jobs that were not taken, and what is left of those that have ended. */
export async function removeOldLeftovers(store: OpenStore, clock: Clock): Promise<void> {
  await removeUntaken(store, await store.objects.names(SUBMITTED), clock);
}

/** @param clock to spare what is young; absent when nothing can be on its way */
async function removeUntaken(store: OpenStore, submitted: readonly string[], clock?: Clock): Promise<void> {
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

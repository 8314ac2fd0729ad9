import type { Clock } from '../../base/clock.ts';
import type { OpenStore } from '../store/store.ts';
import { RESULTS, removeObjects, removeSubmitted, SUBMITTED } from './jobObjects.ts';

/** Ids per query. */
const BATCH = 500;

/**
 * Milliseconds for which files may exist before their job; a submission that takes half of this checks that they still exist.
 */
export const SUBMISSION_MS = 60_000;

/** Ids of files without a job, and the milliseconds of the clock at which a process saw them first. */
export type SeenLeftovers = Map<string, number>;

/**
 * Removes input of jobs that have ended, and all files of those that failed, or do not exist. The input of the latter may be about
 * to be queued, so it is removed when this process has seen it for {@link SUBMISSION_MS}: the clocks of machines and of the
 * objects may differ.
 *
 * @param seen those of earlier calls, which this one updates
 */
export async function removeOldLeftovers(
  store: OpenStore,
  clock: Clock,
  seen: SeenLeftovers = new Map(),
): Promise<void> {
  const nowMs = clock.now();
  const earlier = new Map(seen);
  seen.clear();
  const isOld = (id: string) => {
    const sinceMs = earlier.get(id) ?? nowMs;
    seen.set(id, sinceMs);
    return nowMs - sinceMs >= SUBMISSION_MS;
  };
  for await (const { id, status } of jobsOf(store, SUBMITTED)) {
    if (status === 'done') await removeSubmitted(store, id);
    else if (status === 'failed' || (!status && isOld(id))) await removeObjects(store, id);
  }
}

/** Removes results of jobs that do not exist. */
export async function removeOrphanedResults(store: OpenStore): Promise<void> {
  for await (const { id, status } of jobsOf(store, RESULTS)) if (!status) await removeObjects(store, id);
}

/** Yields the ids of the jobs that have files below a prefix, with their status; that of a job that does not exist is undefined. */
export async function* jobsOf({ db, objects }: OpenStore, prefix: string) {
  for await (const ids of batches(objects.names(prefix))) {
    const rows = await db.selectFrom('jobs').select(['id', 'status']).where('id', 'in', ids).execute();
    const statuses = new Map(rows.map(({ id, status }) => [id, status]));
    for (const id of ids) yield { id, status: statuses.get(id) };
  }
}

async function* batches(ids: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let batch: string[] = [];
  for await (const id of ids) {
    batch.push(id);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

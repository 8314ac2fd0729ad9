import type { OpenStore } from '../store/store.ts';
import { RESULTS, removeObjects, removeSubmitted, SUBMITTED } from './jobObjects.ts';

/** Ids that are asked for at once. */
const BATCH = 500;

/**
 * Finds what a process left that was killed between its files and its rows: what was submitted for a job that was not
 * taken or has ended, and what was produced by a job that is not there.
 *
 * @returns removes it. To be found before anything new is submitted, whose files come before its rows.
 */
export async function findLeftovers(store: OpenStore): Promise<() => Promise<void>> {
  const submitted = await store.objects.names(SUBMITTED);
  const results = await store.objects.names(RESULTS);
  return async () => {
    for (const ids of batches(submitted)) {
      const rows = await store.db
        .selectFrom('jobs')
        .select('id')
        .where('id', 'in', ids)
        .where('status', '=', 'in_progress')
        .execute();
      for (const id of without(ids, rows)) await removeSubmitted(store, id);
    }
    for (const ids of batches(results)) {
      const rows = await store.db.selectFrom('jobs').select('id').where('id', 'in', ids).execute();
      for (const id of without(ids, rows)) await removeObjects(store, id);
    }
  };
}

function* batches(ids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < ids.length; at += BATCH) yield ids.slice(at, at + BATCH);
}

function without(ids: readonly string[], rows: readonly { readonly id: string }[]): readonly string[] {
  const known = new Set(rows.map(({ id }) => id));
  return ids.filter(id => !known.has(id));
}

import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';
import type { JobFilter } from './jobs.ts';
import type { JobRecord } from './record.ts';
import { fromRow } from './rows.ts';

/**
 * Jobs of an account, newest first: pages do not shift while jobs arrive, or while they are deleted. Undefined when there
 * is no job to start after, and has not been of late.
 */
export async function listJobs(
  db: Kysely<Tables>,
  accountId: string,
  { types, since, startingAfter, limit }: JobFilter,
  now: Date,
): Promise<readonly JobRecord[] | undefined> {
  let page = db
    .selectFrom('jobs')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('type', 'in', types)
    .where(where => where.or([where('deleteAt', 'is', null), where('deleteAt', '>', now)]))
    .orderBy('createdOn', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (since) page = page.where('createdOn', '>=', since);
  if (startingAfter !== undefined) {
    const placeIn = (table: 'jobs' | 'removedJobs') =>
      db
        .selectFrom(table)
        .select(['createdOn', 'id'])
        .where('id', '=', startingAfter)
        .where('accountId', '=', accountId)
        .where('type', 'in', types);
    const after = await placeIn('jobs').unionAll(placeIn('removedJobs')).executeTakeFirst();
    if (!after) return undefined;
    page = page.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('createdOn', 'id'), '<', tuple(after.createdOn, after.id)),
    );
  }
  return (await page.execute()).map(fromRow);
}

import { type Kysely, sql } from 'kysely';
import { fromRow, type JobRecord } from '../store/jobRecord.ts';
import type { Tables } from '../store/tables.ts';
import type { JobFilter } from './jobs.ts';

/** Counts the jobs of an account. */
export async function countJobs(db: Kysely<Tables>, accountId: string): Promise<number> {
  const count = db.selectFrom('jobs').select(({ fn }) => fn.countAll<number>().as('count'));
  return (await count.where('accountId', '=', accountId).executeTakeFirstOrThrow()).count;
}

/**
 * Returns a page of the jobs of an account, newest first. Pages do not shift while jobs arrive or are deleted. Undefined
 * when the job to start after does not exist and was not deleted recently.
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

/** Returns a job of an account; undefined when it does not exist or has expired. */
export async function findJob(
  db: Kysely<Tables>,
  accountId: string,
  id: string,
  now: Date,
): Promise<JobRecord | undefined> {
  const row = await db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where(where => where.or([where('deleteAt', 'is', null), where('deleteAt', '>', now)]))
    .executeTakeFirst();
  return row && fromRow(row);
}

/** Counts the jobs of an account in progress, up to the limit. */
export async function countInProgress(db: Kysely<Tables>, accountId: string, limit: number): Promise<number> {
  // Streams have a limit of their own.
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from jobs where account_id = ${accountId} and status = 'in_progress' and type <> 'stream' limit ${limit}
  ) as counted`.execute(db);
  return rows[0]?.count ?? 0;
}

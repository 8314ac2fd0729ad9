import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';
import type { JobRecord } from './record.ts';
import { fromRow } from './rows.ts';

/** A job of an account; undefined when it has none of that id, or no longer. */
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

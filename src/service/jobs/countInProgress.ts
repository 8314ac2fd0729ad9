import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';

/** Jobs of an account that are in progress; counting ends at the limit. */
export async function countInProgress(db: Kysely<Tables>, accountId: string, limit: number): Promise<number> {
  const { count } = await db
    .selectFrom(
      db
        .selectFrom('jobs')
        .select('id')
        .where('accountId', '=', accountId)
        .where('status', '=', 'in_progress')
        .limit(limit)
        .as('inProgress'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

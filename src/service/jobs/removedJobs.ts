import { type Kysely, sql } from 'kysely';
import { LIST_WINDOW_DAYS } from '../../protocol/limits.ts';
import type { Tables } from '../store/tables.ts';

const DAY_MS = 24 * 3600 * 1000;

/**
 * Deletes the rows of jobs. Only where each stood in its account's lists is kept, for a while: somebody who goes through
 * pages and deletes what is on them goes on behind it.
 */
export async function removeRows(db: Kysely<Tables>, ids: readonly string[], now: Date): Promise<void> {
  await db
    .with('removed', query =>
      query.deleteFrom('jobs').where('id', 'in', ids).returning(['id', 'accountId', 'type', 'createdOn']),
    )
    .insertInto('removedJobs')
    .columns(['id', 'accountId', 'type', 'createdOn', 'removedOn'])
    .expression(query =>
      query
        .selectFrom('removed')
        .select(['id', 'accountId', 'type', 'createdOn', sql<Date>`${now}::timestamptz`.as('removedOn')]),
    )
    .execute();
}

/** Forgets where jobs stood that have been deleted for so long that lists do not go back there. */
export async function forgetRemoved(db: Kysely<Tables>, now: Date): Promise<void> {
  await db
    .deleteFrom('removedJobs')
    .where('removedOn', '<', new Date(now.getTime() - LIST_WINDOW_DAYS * DAY_MS))
    .execute();
}

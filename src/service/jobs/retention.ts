import { type Kysely, sql } from 'kysely';
import { LIST_WINDOW_DAYS, MAX_DELETE_AFTER_SECONDS } from '../../protocol/limits.ts';
import type { OpenStore } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { removeDeliveries } from './deliveries.ts';
import { removeObjects } from './jobObjects.ts';
import type { NewJob } from './jobs.ts';
import type { Queue } from './queue.ts';

/** Seconds that a job is kept after its end, unless the job or its account states another time. */
export const RETENTION_SECONDS = MAX_DELETE_AFTER_SECONDS;

/**
 * Returns the seconds that a new job will be kept after its end: its own, else those of its account now. Undefined for a
 * job that is kept until it is deleted.
 */
export async function retentionOf(db: Kysely<Tables>, job: NewJob): Promise<number | undefined> {
  if (job.isPermanent) return undefined;
  if (job.deleteAfterSeconds !== undefined) return job.deleteAfterSeconds;
  const account = await db
    .selectFrom('accounts')
    .select('deleteAfterSeconds')
    .where('id', '=', job.accountId)
    .executeTakeFirst();
  return account?.deleteAfterSeconds ?? RETENTION_SECONDS;
}

export const DAY_MS = 24 * 3600 * 1000;

/**
 * Deletes rows of jobs. Their positions in the lists of the account are kept for a while, so that a client that deletes
 * the jobs of a page can still ask for the next one.
 */
export async function removeRows(db: Kysely<Tables>, ids: readonly string[], now: Date): Promise<void> {
  await sql`
    with removed as (delete from jobs where id in (${sql.join(ids)}) returning id, account_id, type, created_on)
    insert into removed_jobs (id, account_id, type, created_on, removed_on)
    select id, account_id, type, created_on, ${now}::timestamptz from removed`.execute(db);
}

/** Days for which the audit trail of the desk is kept. */
const TRAIL_DAYS = 400;

/**
 * Drops the positions of deleted jobs that are older than any list, old events of the audit trail of the desk, and expired
 * stream tokens.
 */
export async function forgetOld(db: Kysely<Tables>, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await db.deleteFrom('removedJobs').where('removedOn', '<', before(LIST_WINDOW_DAYS)).execute();
  await db.deleteFrom('deskEvents').where('happenedOn', '<', before(TRAIL_DAYS)).execute();
  await db.deleteFrom('streamTokens').where('expiresOn', '<=', now).execute();
}

/** A time before any other: the clocks of machines differ. */
const LONG_AGO = new Date(0);

/**
 * Deletes a job that has ended, with all its data. It is hidden first, as an expired one: if the process is killed meanwhile,
 * maintenance deletes the rest.
 */
export async function removeJob(store: OpenStore, queue: Queue, id: string, now: Date): Promise<void> {
  await store.db.transaction().execute(async trx => {
    await trx.updateTable('jobs').set({ deleteAt: LONG_AGO }).where('id', '=', id).execute();
    await removeDeliveries(trx, queue, id);
  });
  await removeObjects(store, id);
  await removeRows(store.db, [id], now);
}

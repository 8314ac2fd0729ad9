import type { Kysely } from 'kysely';
import { MAX_DELETE_AFTER_SECONDS } from '../../protocol/limits.ts';
import type { Tables } from '../store/tables.ts';
import type { NewJob } from './jobs.ts';

/** Seconds that a job is kept after its end, unless it or its account says otherwise. */
export const DEFAULT_RETENTION_SECONDS = MAX_DELETE_AFTER_SECONDS;

/**
 * How long a job that begins now will be kept after its end: as it asks for, else as its account says at this moment.
 * Undefined for what is kept until it is deleted.
 */
export async function retentionOf(db: Kysely<Tables>, job: NewJob): Promise<number | undefined> {
  if (job.isPermanent) return undefined;
  if (job.deleteAfterSeconds !== undefined) return job.deleteAfterSeconds;
  const account = await db
    .selectFrom('accounts')
    .select('deleteAfterSeconds')
    .where('id', '=', job.accountId)
    .executeTakeFirst();
  return account?.deleteAfterSeconds ?? DEFAULT_RETENTION_SECONDS;
}

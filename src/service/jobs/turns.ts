import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';
import type { JobRecord } from './record.ts';

/**
 * The order in which queued jobs are run. Accounts take turns: the second job of an account comes after the first ones of
 * all others that wait, however many it has queued before them.
 */
export interface Turns {
  /** The turn of a job that an account adds, in the transaction that adds it. */
  next(trx: Kysely<Tables>, accountId: string): Promise<number>;
  /** A job is begun: what is added from now on comes after those of earlier turns. */
  reached(record: Pick<JobRecord, 'turn'>): void;
}

/** Goes on where the queue is. */
export async function openTurns(db: Kysely<Tables>): Promise<Turns> {
  const first = await db
    .selectFrom('jobs')
    .select(({ fn }) => fn.min<number | null>('turn').as('turn'))
    .where('status', '=', 'in_progress')
    .where('stage', 'is', null)
    .executeTakeFirst();
  let present = first?.turn ?? 0;
  return {
    async next(trx, accountId) {
      const last = await trx
        .selectFrom('jobs')
        .select(({ fn }) => fn.max<number | null>('turn').as('turn'))
        .where('accountId', '=', accountId)
        .where('status', '=', 'in_progress')
        .executeTakeFirst();
      return Math.max(present, (last?.turn ?? -1) + 1);
    },
    reached({ turn = 0 }) {
      present = Math.max(present, turn);
    },
  };
}

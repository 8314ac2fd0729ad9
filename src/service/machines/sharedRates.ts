import { type Kysely, sql } from 'kysely';
import type { Flow, Rates } from '../rateLimits/bucket.ts';
import type { Tables } from '../store/tables.ts';

/** Creates token buckets of accounts that processes of several machines share, by the clock of the database. */
export function createSharedRates(database: Promise<Kysely<Tables>>): Rates {
  return {
    async take(accountId, flow) {
      const db = await database;
      const full = levelNow(flow);
      const taken = await db
        .insertInto('requestRates')
        .values({ accountId, level: flow.burst - 1, changedOn: sql`now()` })
        .onConflict(conflict =>
          conflict
            .column('accountId')
            .doUpdateSet({ level: sql<number>`${full} - 1`, changedOn: sql<Date>`now()` })
            .where(sql<boolean>`${full} >= 1`),
        )
        .returning('level')
        .executeTakeFirst();
      if (taken) return 0;
      const { level } = await db
        .selectFrom('requestRates')
        .select(full.as('level'))
        .where('accountId', '=', accountId)
        .executeTakeFirstOrThrow();
      return (Math.max(0, 1 - level) / flow.perSecond) * 1000;
    },
  };
}

/** Level of a bucket, which fills over time up to the burst. */
function levelNow({ perSecond, burst }: Flow) {
  return sql<number>`least(${burst}, request_rates.level + extract(epoch from now() - request_rates.changed_on) * ${perSecond})`;
}

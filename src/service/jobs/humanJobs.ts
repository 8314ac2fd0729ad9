import { sql } from 'kysely';
import { createId } from '../../base/ids.ts';
import { fromRow, type JobRow } from '../store/jobRecord.ts';
import { inputKey } from './jobObjects.ts';
import type { HumanJobs } from './jobs.ts';
import type { JobsContext } from './openJobs.ts';

/** Creates the human jobs of a store. */
export function createHumanJobs({ opened, clock }: JobsContext<'store' | 'end'>): HumanJobs {
  const database = async () => (await opened).store.db;
  return {
    async waiting({ limit }) {
      const rows = await (await database())
        .selectFrom('jobs')
        .selectAll()
        .where('stage', '=', 'waiting')
        .orderBy('isUrgent')
        .orderBy('createdOn')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },

    async find(id) {
      const { db, objects } = (await opened).store;
      const row = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
      if (!row) return undefined;
      const input = await objects.get(inputKey(id));
      return { record: fromRow(row), input: input === undefined ? undefined : JSON.parse(input) };
    },

    async claim(id, person, seconds) {
      const now = clock.wallTime();
      const { rows } = await sql<JobRow>`
        update jobs set claimed_by = ${person}, lease_until = ${new Date(now + seconds * 1000)}
        where id = ${id} and stage = 'waiting'
          and (claimed_by is null or claimed_by = ${person} or lease_until <= ${new Date(now)})
        returning *`.execute(await database());
      return rows[0] && fromRow(rows[0]);
    },

    async release(id, person) {
      const { numUpdatedRows } = await (await database())
        .updateTable('jobs')
        .set({ claimedBy: null, leaseUntil: null })
        .where('id', '=', id)
        .where('stage', '=', 'waiting')
        .where('claimedBy', '=', person)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async finish(id, outcome, results, { workId = '', isAllowed } = {}) {
      const { end } = await opened;
      const resultsId = results && workId + createId();
      return end(id, outcome, { results, resultsId, stage: 'waiting', isAllowed });
    },
  };
}

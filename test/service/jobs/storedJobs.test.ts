// @module-tag tools

import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import type { Tables } from '../../../src/service/store/tables.ts';
import { STORE_RETRY_MS } from '../../../src/service/store/untilReachable.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { OWNER } from '../../helpers/scriptedTasks.ts';
import { serverBackend } from '../../helpers/storeBackends.ts';

const server = serverBackend();

async function queueConnections(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity where datname = current_database() and application_name like 'pgboss%'
  `.execute(db);
  return rows[0]!.count;
}

test('jobs that cannot be opened leave no queue behind, and open when the fault is gone', async context => {
  const place = await server.locate(context);
  const clock = new VirtualClock();
  const before = openJobStore(place, { clock });
  await before.jobs.find(OWNER, 'none');
  /** The queue calls the function when it is open already. */
  const rename = async (from: string, to: string) => {
    const { db } = await before.store.opened;
    await sql`alter function queue.${sql.id(from)} rename to ${sql.id(to)}`.execute(db);
  };
  await before.jobs.close();
  await rename('create_queue', 'hidden');
  const errors: unknown[] = [];
  await using service = openJobStore(place, { clock, onError: error => errors.push(error) });
  for (let attempt = 1; attempt <= 3; attempt++) {
    await eventually(() => expect(errors.length).toBe(attempt));
    if (attempt < 3) clock.advance(STORE_RETRY_MS);
  }
  const { db } = await service.store.opened;
  await eventually(async () => expect(await queueConnections(db)).toBe(0));
  await rename('hidden', 'create_queue');
  clock.advance(STORE_RETRY_MS);
  expect(await service.jobs.find(OWNER, 'none')).toBeUndefined();
  expect(await queueConnections(db)).toBeGreaterThan(0);
  await before.close();
});

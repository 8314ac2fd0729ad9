// @module-tag tools

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openJobStore } from '../../helpers/jobStore.ts';
import { laterRelease } from '../../helpers/laterRelease.ts';
import { submission, untilJob } from '../../helpers/scriptedTasks.ts';
import { serverBackend } from '../../helpers/storeBackends.ts';

const server = serverBackend();

const ADD_COLOUR = ["alter table jobs add column colour text not null default 'red'"];
const tasks = { async: async () => ({ durationSeconds: 2, results: {} }) };

/** Runs a job, and resolves with the colours of all jobs. */
async function runJob({ jobs, store }: ReturnType<typeof openJobStore>, id: string) {
  await jobs.submit(submission(id));
  await untilJob(jobs, id, job => expect(job?.status).toBe('done'));
  const { db } = await store.opened;
  return (await sql<{ colour: string }>`select colour from jobs order by id`.execute(db)).rows;
}

test('the releases before and after an expanding change run jobs in one database, also after a restart', async context => {
  const place = await server.locate(context);
  await using before = openJobStore(place, { tasks });
  await before.accounts.prepared;
  {
    using _ = laterRelease('9998_expand_colours', ADD_COLOUR);
    await using later = openJobStore(place, { tasks });
    expect(await runJob(later, 'Job1')).toEqual([{ colour: 'red' }]);
  }
  await runJob(before, 'Job2');
  await using restarted = openJobStore(place, { tasks });
  expect(await runJob(restarted, 'Job3')).toHaveLength(3);
  expect(await restarted.jobs.find('owner', 'Job1')).toMatchObject({ status: 'done', durationSeconds: 2 });
});

test('a service refuses a database from which a later release has removed something', async context => {
  const place = await server.locate(context);
  {
    using _ = laterRelease('9999_contract_colours', ['alter table jobs drop column name']);
    await using later = openJobStore(place);
    await later.accounts.prepared;
  }
  await using service = openJobStore(place, { onError: () => {} });
  await expect(service.store.opened).rejects.toMatchObject({
    code: 'store',
    message:
      'Cannot migrate the database: a later release has changed it (9999_contract_colours); use that release.',
  });
});

import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readResult, recordResults } from '../../../src/service/jobs/jobResults.ts';
import type { Objects } from '../../../src/service/store/objects.ts';
import { collect } from '../../helpers/collect.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { heldTask, OWNER, submission, untilJob } from '../../helpers/scriptedTasks.ts';
import { serverBackend } from '../../helpers/storeBackends.ts';

const server = serverBackend();

/** Holds the writes of results until they are let go. */
function heldWrites(objects: Objects) {
  const begun: string[] = [];
  const released = Promise.withResolvers<void>();
  const put = objects.put.bind(objects);
  const spy = vi.spyOn(objects, 'put').mockImplementation(async (key, contents) => {
    begun.push(key);
    await released.promise;
    await put(key, contents);
  });
  onTestFinished(() => spy.mockRestore());
  return { begun, release: released.resolve };
}

test('of two processes that have run a job, readers get the results of the one that ended it', {
  tags: 'tools',
}, async context => {
  const place = await server.locate(context);
  const tasks = (words: string) => ({ async: async () => ({ results: { transcript: words } }) });
  await using slow = openJobStore(place, { tasks: tasks('of the slow one') });
  const { db, objects } = await slow.store.opened;
  const writes = heldWrites(objects);
  await slow.accounts.prepared;
  await slow.jobs.submit(submission('Job1'));
  await eventually(() => expect(writes.begun).toHaveLength(1));
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and state = 'idle in transaction'`.execute(db);
  expect(rows).toEqual([]);

  await using other = openJobStore(place, { tasks: tasks('of the other') });
  await sql`update queue.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'`.execute(
    db,
  );
  await untilJob(other.jobs, 'Job1', job => expect(job?.status).toBe('done'));
  writes.release();
  await slow.jobs.close();
  expect(await other.jobs.result('Job1', 'transcript')).toBe('of the other');
  const { resultsId } = await db.selectFrom('jobs').select('resultsId').executeTakeFirstOrThrow();
  expect(await collect(objects.names('jobs/Job1'))).toEqual([resultsId]);
});

test('results stored while another process deletes their job are removed', {
  tags: 'tools',
}, async context => {
  const place = await server.locate(context);
  const held = heldTask();
  await using service = openJobStore(place, { tasks: { async: held.task } });
  const { objects } = await service.store.opened;
  const writes = heldWrites(objects);
  await service.jobs.submit(submission('Job1'));
  await eventually(() => expect(held.begun).toHaveLength(1));
  held.begun[0]!.end({ results: { transcript: 'words' } });
  await eventually(() => expect(writes.begun).toHaveLength(1));
  await using other = openJobStore(place, { worksOnQueue: false });
  await other.jobs.removeAll(OWNER);
  writes.release();
  await service.jobs.close();
  expect(await collect(objects.names('jobs/Job1/results'))).toEqual([]);
});

test('results stay when the answer to the transaction that recorded them was lost', async () => {
  await using service = openJobStore({ dataDirectory: await dataDirectory() });
  const store = await service.store.opened;
  await service.accounts.prepared;
  for (const id of ['done', 'failed']) {
    const job = service.jobs.start({ id, accountId: OWNER, type: 'stream' });
    if (id === 'done') job.end({ status: 'done' }, { transcript: 'words' });
    else job.end({ status: 'failed', failure: 'x', failureDetail: 'x' });
    await untilJob(service.jobs, id, record => expect(record?.status).toBe(id));
    await store.objects.put(`jobs/${id}/results/transcript`, 'words');
    await recordResults(store, { id, results: { transcript: 'late words' } }, async () => undefined);
  }
  expect(await readResult(store, 'done', 'transcript')).toBe('words');
  expect(await readResult(store, 'failed', 'transcript')).toBeUndefined();
});

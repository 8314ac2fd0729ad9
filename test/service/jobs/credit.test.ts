import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { OutOfCreditError } from '../../../src/service/jobs/jobs.ts';
import type { Task } from '../../../src/service/jobs/task.ts';
import { collect } from '../../helpers/collect.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { heldTask, OWNER, submission, untilJob } from '../../helpers/scriptedTasks.ts';
import { describeOnStores } from '../../helpers/storeBackends.ts';

type Running = ReturnType<typeof openJobStore>;

async function setBalance({ accounts, store }: Running, balanceSeconds: number): Promise<void> {
  await accounts.initialToken;
  await (await store.opened).db.updateTable('accounts').set({ balanceSeconds }).execute();
}

async function credit({ store }: Running): Promise<[balance: number, reserved: number]> {
  const { db } = await store.opened;
  const { balanceSeconds, reservedSeconds } = await db
    .selectFrom('accounts')
    .selectAll()
    .executeTakeFirstOrThrow();
  return [balanceSeconds, reservedSeconds];
}

describeOnStores('credit', ({ locate }) => {
  test('is held for a job, charged for its use, and the rest released', async context => {
    const held = heldTask();
    await using service = openJobStore(await locate(context), { tasks: { async: held.task } });
    await setBalance(service, 100);
    await service.jobs.submit(submission('Job1', { reserveSeconds: 10.2 }));
    expect(await credit(service)).toEqual([100, 11]);
    await eventually(() => expect(held.begun.length).toBe(1));
    held.begun[0]!.end({ durationSeconds: 9.5 });
    await untilJob(service.jobs, 'Job1', job => expect(job?.status).toBe('done'));
    expect(await credit(service)).toEqual([90.5, 0]);
  });

  test('below the need of a job refuses it, leaving no data', async context => {
    await using service = openJobStore(await locate(context), { tasks: {} });
    await setBalance(service, 9.9);
    const submitted = service.jobs.submit(submission('Job1', { reserveSeconds: 10, input: { a: 1 } }));
    await expect(submitted).rejects.toThrow(OutOfCreditError);
    await expect(submitted).rejects.toMatchObject({ balanceSeconds: 9.9 });
    expect(await service.jobs.find(OWNER, 'Job1')).toBeUndefined();
    expect(await collect((await service.store.opened).objects.names('submitted'))).toEqual([]);
    expect(await credit(service)).toEqual([9.9, 0]);
  });

  test('for one more job is held for exactly one of several concurrent ones', async context => {
    const held = heldTask();
    await using service = openJobStore(await locate(context), { tasks: { async: held.task } });
    await setBalance(service, 25);
    const submitted = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map(id => service.jobs.submit(submission(id, { reserveSeconds: 10 }))),
    );
    expect(submitted.filter(({ status }) => status === 'fulfilled').length).toBe(2);
    expect(await credit(service)).toEqual([25, 20]);
  });

  test('that is too low for a task fails its job, which costs nothing', async context => {
    const task: Task = async (_, { reserve }) => {
      await reserve(5);
      await reserve(4);
      await reserve(100);
      return { durationSeconds: 100, results: {} };
    };
    await using service = openJobStore(await locate(context), { tasks: { async: task } });
    await setBalance(service, 50);
    await service.jobs.submit(submission('Job1', { reserveSeconds: 2 }));
    await untilJob(service.jobs, 'Job1', job =>
      expect(job).toMatchObject({ status: 'failed', failure: 'insufficient_balance' }),
    );
    expect(await credit(service)).toEqual([50, 0]);
  });

  test('is not read for jobs without cost', async context => {
    await using service = openJobStore(await locate(context), {
      tasks: { async: async () => ({ results: {} }) },
    });
    await setBalance(service, 0);
    const { db } = await service.store.opened;
    // A new version of the row has another xmin.
    const version = () => sql`select xmin::text from accounts`.execute(db).then(({ rows }) => rows);
    const before = await version();
    await service.jobs.submit(submission('Job1'));
    await untilJob(service.jobs, 'Job1', job => expect(job?.status).toBe('done'));
    expect(await version()).toEqual(before);
  });
});

import { expect, test } from 'vitest';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { heldTask, OWNER, submission } from '../../helpers/scriptedTasks.ts';

/** Runs all waiting jobs one after the other; returns their ids in the order of their starts. */
async function drain(held: ReturnType<typeof heldTask>, count: number): Promise<string[]> {
  for (let ended = 0; ended < count; ended++) {
    await eventually(() => expect(held.begun.length).toBeGreaterThan(ended));
    held.begun[ended]!.end();
  }
  return held.begun.map(({ id }) => id);
}

async function withAccounts(service: ReturnType<typeof openJobStore>, ids: readonly string[]): Promise<void> {
  await service.accounts.initialToken;
  const { db } = await service.store.opened;
  const createdOn = new Date();
  const accounts = ids.map(id => ({ id, email: `${id}@x`, balanceSeconds: 0, createdOn }));
  await db.insertInto('accounts').values(accounts).execute();
}

test('accounts take turns, each in the order of its submissions, and after a restart too', async () => {
  const place = { dataDirectory: await dataDirectory() };
  {
    const held = heldTask();
    await using service = openJobStore(place, { tasks: { async: held.task } });
    await withAccounts(service, ['b', 'c']);
    for (let index = 0; index < 10; index++) await service.jobs.submit(submission(`a${index}`));
    expect(await drain(held, 3)).toEqual(['a0', 'a1', 'a2']);
    await eventually(() => expect(held.begun.length).toBe(4));
    for (const id of ['b0', 'b1', 'b2']) await service.jobs.submit(submission(id, { accountId: 'b' }));
  }
  const held = heldTask();
  await using service = openJobStore(place, { tasks: { async: held.task } });
  await eventually(() => expect(held.begun.length).toBe(1));
  await service.jobs.submit(submission('c0', { accountId: 'c' }));
  const order = await drain(held, 11);
  expect(order.filter(id => id.startsWith('a'))).toEqual(['a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9']);
  expect(order.slice(0, 7).sort()).toEqual(['a3', 'a4', 'a5', 'b0', 'b1', 'b2', 'c0']);
  expect(await service.jobs.list(OWNER, { types: ['async'], limit: 100 })).toHaveLength(10);
});

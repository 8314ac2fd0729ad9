import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { collect } from '../../helpers/collect.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type JobStoreOptions, openJobStore, type StorePlace } from '../../helpers/jobStore.ts';
import { heldTask, submission } from '../../helpers/scriptedTasks.ts';
import { describeOnStores } from '../../helpers/storeBackends.ts';

async function openWithAccount(place: StorePlace, options: JobStoreOptions = {}) {
  const service = openJobStore(place, options);
  const { db, objects } = await service.store.opened;
  const { administration } = service.accounts;
  const { id } = (await administration.create('ada@example.org', 100))!;
  return { ...service, db, objects, administration, id };
}

describeOnStores('a closed account', ({ locate }) => {
  test('starts none of its queued jobs, and its running one is aborted', async context => {
    const { task, begun } = heldTask();
    const service = await openWithAccount(await locate(context), { tasks: { async: task } });
    await using _ = service;
    const { administration, db, id, jobs } = service;
    for (const name of ['Ada1', 'Ada2', 'Ada3', 'Ada4']) {
      await jobs.submit(submission(name, { accountId: id, reserveSeconds: 1 }));
    }
    await jobs.submit(submission('Other'));
    await eventually(() => expect(begun.map(job => job.id)).toEqual(['Ada1']));

    await administration.close(id);
    const late = jobs.submit(submission('Ada5', { accountId: id, reserveSeconds: 1 }));
    await expect(late).rejects.toThrow('not enough credit');
    await jobs.removeAll(id);
    await eventually(() => expect(begun.map(job => job.id)).toEqual(['Ada1', 'Other']));
    expect(await jobs.count(id)).toBe(0);
    expect(await administration.find(id)).toBeUndefined();
    const entries = db.withSchema('queue').selectFrom('job' as never);
    expect(await entries.selectAll().execute()).toHaveLength(1);
  });

  test('is deleted by the next start when the deletion was interrupted', async context => {
    const place = await locate(context);
    const first = await openWithAccount(place, { worksOnQueue: false });
    const { administration, db, id, objects } = first;
    const names = Array.from({ length: 1100 }, (_, index) => `job${index}`);
    const row = { accountId: id, type: 'async', status: 'done', createdOn: new Date() };
    const common = { ...row, reservedSeconds: 0, attempts: 1 };
    await db
      .insertInto('jobs')
      .values(names.map(name => ({ id: name, ...common }) as never))
      .execute();
    for (const name of [names[0]!, names.at(-1)!]) await objects.put(`jobs/${name}/results/text`, 'words');
    await administration.close(id);
    const { removeAll } = objects;
    let closed: Promise<void> | undefined;
    Object.assign(objects, {
      removeAll(prefix: string) {
        // The second of six batches.
        if (prefix.endsWith('/job300')) closed = first.close();
        return removeAll(prefix);
      },
    });
    await expect(first.jobs.removeAll(id)).rejects.toThrow();
    await closed;

    // On a server, another process waits until it is sure that the first one has gone.
    const clock = { ...systemClock, wallTime: () => systemClock.wallTime() + 120_000 };
    await using next = openJobStore(place, { clock });
    await eventually(async () => expect(await next.accounts.administration.find(id)).toBeUndefined());
    expect(await next.jobs.count(id)).toBe(0);
    expect(await collect((await next.store.opened).objects.names('jobs'))).toEqual([]);
  });
});

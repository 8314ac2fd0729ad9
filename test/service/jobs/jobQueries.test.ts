import { expect, test } from 'vitest';
import { openJobStore } from '../../helpers/jobStore.ts';
import { submission } from '../../helpers/scriptedTasks.ts';
import { describeOnStores } from '../../helpers/storeBackends.ts';

describeOnStores('jobs in progress', ({ locate }) => {
  test('are counted by account without streams, up to a limit', async context => {
    await using service = openJobStore(await locate(context), {
      worksOnQueue: false,
    });
    const { id: other } = (await service.accounts.administration.create('ada@example.org', 1))!;
    for (const id of ['a', 'b']) await service.jobs.submit(submission(id));
    await service.jobs.submit(submission('c', { accountId: other }));
    // Has a limit of its own.
    service.jobs.start({ id: 'd', accountId: 'owner', type: 'stream' });
    await service.jobs.find('owner', 'd');
    const count = (accountId: string, limit: number) => service.jobs.countInProgress(accountId, limit);
    expect(await count('owner', 10)).toBe(2);
    expect(await count('owner', 1)).toBe(1);
    expect(await count('owner', 0)).toBe(0);
    expect(await count(other, 10)).toBe(1);
    expect(await count('nobody', 10)).toBe(0);
  });
});

import { expect, test } from 'vitest';
import { openJobStore } from '../../helpers/jobStore.ts';
import { describeOnStores } from '../../helpers/storeBackends.ts';

describeOnStores('jobs in progress', ({ locate }) => {
  test('are counted by account, up to a limit', async context => {
    await using service = openJobStore(await locate(context));
    const { id: other } = (await service.accounts.administration.create('ada@example.org', 1))!;
    const begin = (id: string, accountId: string) => service.jobs.start({ id, accountId, type: 'stream' });
    const jobs = ['a', 'b', 'c'].map(id => begin(id, 'owner'));
    begin('d', other);
    jobs[0]!.end({ status: 'failed', failure: 'transcription', failureDetail: 'none' });
    // Jobs are written in the background; `find` waits for that.
    for (const id of ['a', 'b', 'c']) await service.jobs.find('owner', id);
    await service.jobs.find(other, 'd');
    const count = (accountId: string, limit: number) => service.jobs.countInProgress(accountId, limit);
    expect(await count('owner', 10)).toBe(2);
    expect(await count('owner', 1)).toBe(1);
    expect(await count('owner', 0)).toBe(0);
    expect(await count(other, 10)).toBe(1);
    expect(await count('nobody', 10)).toBe(0);
  });
});

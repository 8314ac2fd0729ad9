import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { startObservedService } from '../../helpers/observedService.ts';
import { serverBackend } from '../../helpers/storeBackends.ts';

describe('the metrics of a service of several processes', { tags: 'tools' }, () => {
  const { locate } = serverBackend();

  test('count the processes that are alive, by role', async context => {
    const place = await locate(context);
    const api = await startObservedService({ ...place, role: 'api' });
    onTestFinished(() => api.close());
    const worker = await startObservedService({ ...place, role: 'worker' });
    onTestFinished(() => worker.close());
    await Promise.all([api.ready, worker.ready]);
    const counts = async () =>
      Promise.all(['all', 'api', 'worker'].map(role => api.sample(`rxscribe_members{role="${role}"}`)));
    await eventually(async () => expect(await counts()).toEqual([0, 1, 1]));
    expect(await worker.sample('rxscribe_streams{state="running"}')).toBeUndefined();
    expect(await worker.sample('rxscribe_jobs_running{lane="jobs"}')).toBe(0);
  }, 120_000);
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createId } from '../../../src/base/ids.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import type { Task } from '../../../src/service/jobs/task.ts';
import { collect } from '../../helpers/collect.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore, type StorePlace } from '../../helpers/jobStore.ts';
import { OWNER, submission, untilJob } from '../../helpers/scriptedTasks.ts';
import { describeOnStores } from '../../helpers/storeBackends.ts';

const transcribe: Task = async () => ({
  durationSeconds: 2.5,
  results: { transcript: 'by a machine' },
  waits: true,
});

function open(place: StorePlace, clock = new VirtualClock()) {
  return openJobStore(place, { tasks: { human_tc: transcribe }, clock });
}

type Running = ReturnType<typeof open>;

/** Submits jobs, and waits until their machine part is done. */
async function leave({ jobs }: Running, clock: VirtualClock, ids: Record<string, boolean>): Promise<void> {
  for (const [id, isUrgent] of Object.entries(ids)) {
    clock.advance(1000);
    await jobs.submit(submission(id, { type: 'human_tc', reserveSeconds: 3, isUrgent }));
  }
  for (const id of Object.keys(ids)) {
    await untilJob(jobs, id, job => expect(job?.stage).toBe('waiting'));
  }
}

describeOnStores('human jobs', ({ locate }) => {
  test('wait in order, urgent ones first, over restarts and leases', async context => {
    const place = await locate(context);
    const clock = new VirtualClock();
    {
      await using service = open(place, clock);
      await leave(service, clock, { a: false, b: true, c: false, d: true });
      await service.jobs.human.claim('a', 'Ann', 60);
    }
    clock.advance(3_600_000);
    await using service = open(place, clock);
    const waiting = await service.jobs.human.waiting({ limit: 3 });
    expect(waiting.map(({ id }) => id)).toEqual(['b', 'd', 'a']);
    expect(waiting[2]).toMatchObject({
      ...{ status: 'in_progress', claimedBy: 'Ann', reservedSeconds: 3, durationSeconds: 2.5 },
    });
    expect(await service.jobs.result('c', 'transcript')).toBe('by a machine');
  });

  test('are claimed by one person at a time, until the claim expires', async context => {
    const clock = new VirtualClock();
    await using service = open(await locate(context), clock);
    await leave(service, clock, { a: false });
    const { human } = service.jobs;
    const claims = await Promise.all(['Ann', 'Bob', 'Cid'].map(person => human.claim('a', person, 60)));
    const [claimed, ...others] = claims.filter(record => record !== undefined);
    expect(others).toEqual([]);
    const first = claimed!.claimedBy!;
    expect(claimed!.leaseUntil).toEqual(new Date(clock.wallTime() + 60_000));
    expect(await human.claim('a', 'Dan', 60)).toBeUndefined();
    expect(await human.claim('a', first, 120)).toMatchObject({ claimedBy: first });
    clock.advance(119_999);
    expect(await human.claim('a', 'Dan', 60)).toBeUndefined();
    clock.advance(1);
    expect(await human.claim('a', 'Dan', 60)).toMatchObject({ claimedBy: 'Dan' });
    await human.release('a', first);
    expect(await human.claim('a', first, 60)).toBeUndefined();
    await human.release('a', 'Dan');
    expect(await human.claim('a', first, 60)).toMatchObject({ claimedBy: first });
    expect(await human.claim('nothing', 'Ann', 60)).toBeUndefined();
  });

  test('end once, with the text of the person, and are charged then', async context => {
    const clock = new VirtualClock();
    await using service = open(await locate(context), clock);
    await leave(service, clock, { a: false, b: false });
    const { human } = service.jobs;
    await human.claim('a', 'Ann', 60);
    expect(await human.finish('a', { status: 'done' }, { transcript: 'by Ann' })).toBe(true);
    expect(await human.finish('a', { status: 'done' }, { transcript: 'by Bob' })).toBe(false);
    expect(await human.claim('a', 'Ann', 60)).toBeUndefined();
    expect(await service.jobs.result('a', 'transcript')).toBe('by Ann');
    const job = await service.jobs.find(OWNER, 'a');
    expect(job).toMatchObject({ status: 'done', durationSeconds: 2.5, reservedSeconds: 0 });
    expect(job).not.toHaveProperty('stage');
    expect(job).not.toHaveProperty('claimedBy');
    const failed = { status: 'failed', failure: 'invalid_media', failureDetail: 'Only noise' } as const;
    expect(await human.finish('b', failed)).toBe(true);
    expect(await service.jobs.result('b', 'transcript')).toBeUndefined();
    expect((await service.accounts.find(OWNER))?.balanceSeconds).toBe(1_000_000_000 - 2.5);
    expect(await human.waiting({ limit: 10 })).toEqual([]);
  });

  test('keep their media only as long as they wait', async context => {
    const clock = new VirtualClock();
    await using service = open(await locate(context), clock);
    const { objects } = await service.store.opened;
    const media = join(objects.spoolDirectory, createId());
    await writeFile(media, 'sound');
    await service.jobs.submit(submission('a', { type: 'human_tc', media }));
    await untilJob(service.jobs, 'a', job => expect(job?.stage).toBe('waiting'));
    expect(await objects.get('submitted/a/media')).toBe('sound');
    await service.jobs.human.finish('a', { status: 'done' });
    await eventually(async () => expect(await collect(objects.names('submitted'))).toEqual([]));
  });

  test('do not include jobs whose machine part is running', async context => {
    await using service = openJobStore(await locate(context), {
      tasks: { async: () => new Promise(() => {}) },
      clock: new VirtualClock(),
    });
    const running = service.jobs.start({ id: 's', accountId: OWNER, type: 'stream' });
    await service.jobs.find(OWNER, 's');
    expect(await service.jobs.human.claim('s', 'Ann', 60)).toBeUndefined();
    expect(await service.jobs.human.finish('s', { status: 'done' })).toBe(false);
    running.end({ status: 'done' });
  });
});

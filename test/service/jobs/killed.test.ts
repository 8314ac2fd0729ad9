// @module-tag slow

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { createId } from '../../../src/base/ids.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { INITIAL_BALANCE_SECONDS } from '../../../src/service/accounts/accounts.ts';
import { SUBMISSION_MS } from '../../../src/service/jobs/leftovers.ts';
import { collect } from '../../helpers/collect.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore, type StorePlace } from '../../helpers/jobStore.ts';
import { auditStore, killServices } from '../../helpers/killRounds.ts';
import { heldTask, OWNER, submission, untilJob } from '../../helpers/scriptedTasks.ts';
import { serverBackend } from '../../helpers/storeBackends.ts';

/** `npm run bench -- jobs` does more of them. */
const ROUNDS = 8;

const NOTHING_WRONG = { lost: 0, notDone: 0, notNotifiedOnce: 0, creditOff: 0, stillHeld: 0, leftOver: 0 };
const server = serverBackend();

describe('a service that is killed again and again', () => {
  test('loses no accepted job, and ends every job once', async () => {
    const place = { dataDirectory: await dataDirectory() };
    const acknowledged = await killServices(place, ROUNDS);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(await auditStore(place, acknowledged)).toEqual({
      acknowledged: acknowledged.length,
      ...NOTHING_WRONG,
    });
  });

  test('on a database server loses nothing either: entries without a heartbeat are claimed again', {
    tags: 'tools',
  }, async context => {
    const place = await server.locate(context);
    const acknowledged = await killServices(place, 2);
    expect(await forgetSigns(place)).toBeGreaterThan(0);
    expect(await auditStore(place, acknowledged)).toEqual({
      acknowledged: acknowledged.length,
      ...NOTHING_WRONG,
    });
  });
});

test('a job of a service that seemed gone ends once, though two have run it', {
  tags: 'tools',
}, async context => {
  const place = await server.locate(context);
  const first = heldTask();
  const second = heldTask();
  const seen: AbortSignal[] = [];
  const clock = new VirtualClock();
  await using one = openJobStore(place, {
    clock,
    tasks: {
      async async(job, taskContext) {
        seen.push(taskContext.signal);
        // It ignores its signal.
        return first.task(job, { ...taskContext, signal: new AbortController().signal });
      },
    },
  });
  await one.jobs.submit(
    submission('Job1', { reserveSeconds: 2, notification: { url: 'http://127.0.0.1:9/' } }),
  );
  await eventually(() => expect(first.begun.length).toBe(1));
  await using other = openJobStore(place, { tasks: { async: second.task } });
  await other.jobs.find(OWNER, 'Job1');
  expect(await forgetSigns(place)).toBe(1);
  await vi.waitFor(() => expect(second.begun.length).toBe(1), { timeout: 60_000, interval: 100 });
  // The first one learns at its next heartbeat that it has lost the job.
  await eventually(async () => {
    await clock.advanceAsync(1000);
    expect(seen.map(({ aborted }) => aborted)).toEqual([true]);
  });
  second.begun[0]!.end({ durationSeconds: 1.5, results: { transcript: 'of the second' } });
  await untilJob(other.jobs, 'Job1', job => expect(job?.status).toBe('done'));
  first.begun[0]!.end({ durationSeconds: 1.25, results: { transcript: 'of the first' } });
  await one.close();
  expect(await other.jobs.result('Job1', 'transcript')).toBe('of the second');
  const { db } = await other.store.opened;
  expect(await db.selectFrom('jobs').select('durationSeconds').execute()).toEqual([{ durationSeconds: 1.5 }]);
  expect(await db.selectFrom('deliveries').select('jobId').execute()).toEqual([{ jobId: 'Job1' }]);
  expect((await other.accounts.find(OWNER))?.balanceSeconds).toBe(INITIAL_BALANCE_SECONDS - 1.5);
});

/** Backdates the heartbeats of running entries. */
async function forgetSigns({ databaseUrl }: StorePlace): Promise<number | null> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rowCount } = await client.query(
    `update queue.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'`,
  );
  await client.end();
  return rowCount;
}

test('files of jobs that were never queued, or have ended, are removed within two minutes', async () => {
  const directory = await dataDirectory();
  const clock = new VirtualClock(Date.now());
  await using service = openJobStore({ dataDirectory: directory }, { clock });
  await service.jobs.find(OWNER, 'nothing');
  const { objects } = await service.store.opened;
  service.jobs.start({ id: 'ended', accountId: OWNER, type: 'stream' }).end({ status: 'done' });
  await untilJob(service.jobs, 'ended', job => expect(job?.status).toBe('done'));
  const startMs = clock.now();
  for (const id of ['untaken', 'ended']) await objects.put(`submitted/${id}/input`, 'words');
  const left = () => collect(objects.names('submitted'));
  await eventually(async () => {
    // The files are of now, whatever the clock says.
    await clock.advanceAsync(1000);
    expect(await left()).toEqual(['untaken']);
  });
  await eventually(async () => {
    await clock.advanceAsync(1000);
    expect(await left()).toEqual([]);
  });
  expect(clock.now() - startMs).toBeGreaterThan(SUBMISSION_MS);
});

test('a submission that stood still is refused if its files were removed meanwhile', async () => {
  const clock = new VirtualClock();
  await using service = openJobStore({ dataDirectory: await dataDirectory() }, { clock });
  await service.jobs.find(OWNER, 'nothing');
  const { objects } = await service.store.opened;
  const { put, adopt } = objects;
  Object.assign(objects, {
    async put(key: string, contents: string) {
      await put(key, contents);
      clock.advance(600_000);
      if (key.includes('Removed')) await objects.removeAll('submitted');
    },
    async adopt(key: string, path: string) {
      const adopted = await adopt(key, path);
      if (key.includes('MediaGone')) await objects.removeAll('submitted');
      return adopted;
    },
  });
  const media = async () => {
    const path = join(objects.spoolDirectory, createId());
    await writeFile(path, 'media');
    return path;
  };
  for (const lost of [
    submission('Removed', { input: {} }),
    submission('MediaGone', { input: {}, media: await media() }),
  ]) {
    await expect(service.jobs.submit(lost)).rejects.toThrow('files were removed');
    expect(await service.jobs.find(OWNER, lost.id)).toBeUndefined();
  }
  await service.jobs.submit(submission('Kept', { input: {}, media: await media() }));
});

test('files without rows are removed after the next start', async () => {
  const directory = await dataDirectory();
  const objects = join(directory, 'objects');
  {
    await using service = openJobStore({ dataDirectory: directory });
    for (const id of ['kept', 'ended']) {
      service.jobs
        .start({ id, accountId: OWNER, type: 'stream' })
        .end({ status: 'done' }, { transcript: 'x' });
    }
    await service.jobs.find(OWNER, 'ended');
  }
  for (const path of ['submitted/nobody', 'submitted/ended', 'jobs/nobody/results']) {
    await mkdir(join(objects, path), { recursive: true });
    await writeFile(join(objects, path, 'media'), 'words');
  }
  const clock = new VirtualClock(Date.now());
  await using service = openJobStore({ dataDirectory: directory }, { clock });
  await service.jobs.find(OWNER, 'kept');
  await eventually(async () => {
    await clock.advanceAsync(1000);
    expect(await readdir(join(objects, 'submitted'))).toEqual([]);
    expect((await readdir(join(objects, 'jobs'))).sort()).toEqual(['ended', 'kept']);
  });
  expect(await service.jobs.result('ended', 'transcript')).toBe('x');
});

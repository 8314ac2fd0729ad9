import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { RxscribeError } from '../../../src/base/errors.ts';
import { decideOnFailure, RETRY_WINDOW_MS } from '../../../src/service/jobs/failureDecision.ts';
import { noJobLog } from '../../../src/service/jobs/jobLog.ts';
import { createRunner, MAX_ATTEMPTS } from '../../../src/service/jobs/runner.ts';
import { JobFailedError, type Task } from '../../../src/service/jobs/task.ts';
import { PROGRESS_INTERVAL_MS } from '../../../src/service/jobs/taskContext.ts';
import { noInstruments } from '../../../src/service/telemetry/createInstruments.ts';
import { collect } from '../../helpers/collect.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { heldTask, OWNER, submission, untilJob } from '../../helpers/scriptedTasks.ts';
import { describeOnStores } from '../../helpers/storeBackends.ts';

describeOnStores('a submitted job', ({ locate }) => {
  test('runs with its input, ends with the results of its task, and leaves nothing in the queue', async context => {
    const seen: unknown[] = [];
    const task: Task = async ({ id, options }, { input, media, directory, keepMedia, reserve }) => {
      const path = join(directory, 'fetched');
      await writeFile(path, 'the media');
      const kept = await keepMedia(path, 'name.wav');
      await reserve(4.2);
      seen.push({ id, options, input, media, kept: await readFile(kept, 'utf8') });
      return {
        durationSeconds: 4.25,
        language: 'fr',
        findings: { words: 2 },
        results: { transcript: 'the words' },
      };
    };
    await using service = openJobStore(await locate(context), { tasks: { async: task } });
    const { jobs } = service;
    const options = { sourceConfig: { url: 'http://x', list: [1, 2] } };
    const record = await jobs.submit(
      submission('Job1', { input: { a: ['b'] }, options, metadata: 'né', language: 'en' }),
    );
    expect(record).toMatchObject({ id: 'Job1', status: 'in_progress', options });
    await untilJob(jobs, 'Job1', job => expect(job?.status).toBe('done'));
    expect(seen).toEqual([{ id: 'Job1', options, input: { a: ['b'] }, media: undefined, kept: 'the media' }]);
    const done = await jobs.find(OWNER, 'Job1');
    expect(done).toMatchObject({
      ...{ options, metadata: 'né', name: 'name.wav', language: 'fr' },
      ...{ durationSeconds: 4.25, findings: { words: 2 }, reservedSeconds: 0, attempts: 1 },
    });
    expect(await jobs.result('Job1', 'transcript')).toBe('the words');
    const { db, objects } = await service.store.opened;
    const account = await db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
    expect([account.balanceSeconds, account.reservedSeconds]).toEqual([1_000_000_000 - 4.25, 0]);
    await eventually(async () => expect(await collect(objects.names('submitted'))).toEqual([]));
    const entries = db.withSchema('queue').selectFrom('job' as never);
    await eventually(async () => expect(await entries.selectAll().execute()).toEqual([]));
  });

  test('reports progress that never goes back', async context => {
    let report: (fraction: number) => void = () => {};
    const held = Promise.withResolvers<void>();
    const task: Task = async (_, { progress }) => {
      report = progress;
      await held.promise;
      return { results: {} };
    };
    let aheadMs = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
    await using service = openJobStore(await locate(context), { tasks: { async: task }, clock });
    await service.jobs.submit(submission('Job1'));
    const shows = (progress: number | undefined) =>
      untilJob(service.jobs, 'Job1', job => expect(job).toMatchObject({ attempts: 1, progress }));
    await eventually(() => expect(report).toHaveLength(1));
    report(0.129);
    await shows(12);
    // Too early, and then from another part of the work.
    report(0.5);
    aheadMs += PROGRESS_INTERVAL_MS;
    report(0.1);
    report(0.61);
    await shows(61);
    held.resolve();
    await untilJob(service.jobs, 'Job1', job => expect(job?.status).toBe('done'));
  });

  test('is neither repeated nor lost when the service stops meanwhile', async context => {
    const place = await locate(context);
    const first = heldTask();
    {
      await using service = openJobStore(place, { tasks: { async: first.task } });
      await service.jobs.submit(submission('Job1'));
      await eventually(() => expect(first.begun.length).toBe(1));
    }
    const second = heldTask();
    await using service = openJobStore(place, { tasks: { async: second.task } });
    await eventually(() => expect(second.begun.length).toBe(1));
    expect(await service.jobs.find(OWNER, 'Job1')).toMatchObject({ status: 'in_progress', attempts: 1 });
    second.begun[0]!.end({ results: { transcript: 'x' } });
    await untilJob(service.jobs, 'Job1', job => expect(job?.status).toBe('done'));
    expect(first.begun.length + second.begun.length).toBe(2);
  });

  test('causes one notification, even if several processes end it', async context => {
    const held = heldTask();
    await using service = openJobStore(await locate(context), { tasks: { async: held.task } });
    await service.jobs.submit(submission('Job1', { notification: { url: 'http://x/', authorization: 'a' } }));
    await eventually(() => expect(held.begun.length).toBe(1));
    held.begun[0]!.end({ waits: true, results: { transcript: 'machine' } });
    await untilJob(service.jobs, 'Job1', job => expect(job?.stage).toBe('waiting'));
    const ends = await Promise.all(
      ['a', 'b', 'c'].map(words =>
        service.jobs.human.finish('Job1', { status: 'done' }, { transcript: words }),
      ),
    );
    expect(ends.filter(isEnded => isEnded).length).toBe(1);
    const { db } = await service.store.opened;
    expect((await db.selectFrom('deliveries').selectAll().execute()).length).toBe(1);
    expect(await service.jobs.result('Job1', 'transcript')).toBe(['a', 'b', 'c'][ends.indexOf(true)]);
    expect((await service.jobs.find(OWNER, 'Job1'))?.notification).toEqual({ url: 'http://x/' });
  });
});

describe('a job whose task throws', () => {
  async function failing(error: unknown, tasks: Record<string, Task> = {}) {
    const errors: unknown[] = [];
    const place = { dataDirectory: await dataDirectory() };
    const task = async () => Promise.reject(error);
    const service = openJobStore(place, {
      tasks: { async: task, ...tasks },
      onError: thrown => errors.push(thrown),
    });
    return { service, errors };
  }

  test.each([
    [new JobFailedError('invalid_media', 'Not audio'), 'invalid_media', 'Not audio'],
    [new RxscribeError('engine-failed', 'decode: secret'), 'transcription', 'The engine failed.'],
    [
      new RxscribeError('engine-missing', 'find: secret'),
      'internal_processing',
      'The service failed while the job was in progress.',
    ],
    [new TypeError('secret'), 'internal_processing', 'The service failed while the job was in progress.'],
  ])('%s fails, and shows its user only messages for users', async (error, failure, failureDetail) => {
    const { service, errors } = await failing(error);
    await using _ = service;
    await service.jobs.submit(submission('Job1', { reserveSeconds: 3 }));
    await untilJob(service.jobs, 'Job1', job => expect(job).toMatchObject({ status: 'failed', failure }));
    const job = await service.jobs.find(OWNER, 'Job1');
    expect(job).toMatchObject({ failureDetail, reservedSeconds: 0, attempts: 1 });
    expect(errors).toEqual(error instanceof JobFailedError ? [] : [error]);
    const { balanceSeconds } = (await service.accounts.find(OWNER))!;
    expect(balanceSeconds).toBe(1_000_000_000);
  });

  test('because no engine is free runs again until it succeeds', async () => {
    let runs = 0;
    const busyTwice: Task = async () => {
      if (++runs < 3) throw new RxscribeError('unavailable', 'all are in use');
      return { results: {} };
    };
    const { service, errors } = await failing(undefined, { async: busyTwice });
    await using _ = service;
    await service.jobs.submit(submission('Job1'));
    await untilJob(service.jobs, 'Job1', job => expect(job).toMatchObject({ status: 'done', attempts: 1 }));
    expect([runs, errors]).toEqual([3, []]);
  });

  test('has a type without a task', async () => {
    const { service } = await failing(undefined);
    await using _ = service;
    await service.jobs.submit(submission('Job1', { type: 'unheard_of' }));
    await untilJob(service.jobs, 'Job1', job =>
      expect(job).toMatchObject({ status: 'failed', failure: 'internal_processing' }),
    );
  });

  test('is not started again when it has killed its service too often', async () => {
    const place = { dataDirectory: await dataDirectory() };
    const held = heldTask();
    {
      await using service = openJobStore(place, { tasks: { async: held.task } });
      await service.jobs.submit(submission('Job1'));
      await eventually(() => expect(held.begun.length).toBe(1));
      const { db } = await service.store.opened;
      await db
        .updateTable('jobs')
        .set({ attempts: MAX_ATTEMPTS + 1 })
        .execute();
    }
    await using service = openJobStore(place, { tasks: { async: held.task } });
    await untilJob(service.jobs, 'Job1', job =>
      expect(job).toMatchObject({ status: 'failed', failure: 'internal_processing' }),
    );
    expect(held.begun.length).toBe(1);
  });
});

test('a task is not started when the service stops while its job is being claimed', async () => {
  const held = heldTask();
  await using service = openJobStore(
    { dataDirectory: await dataDirectory() },
    { tasks: { async: held.task } },
  );
  for (const id of ['running', 'waiting']) await service.jobs.submit(submission(id));
  await eventually(() => expect(held.begun.length).toBe(1));
  const run = createRunner({
    store: await service.store.opened,
    tasks: { async: held.task },
    end: () => Promise.reject(new Error('the job does not end')),
    turns: { next: async () => 0, reached: async () => {} },
    clock: systemClock,
    onError: error => expect.fail(String(error)),
    instruments: noInstruments,
    log: noJobLog,
  });
  const stopped = AbortSignal.abort(new RxscribeError('aborted', 'the service stops'));
  expect(await run({ id: 'waiting', tries: 1 }, stopped)).toEqual({ againInSeconds: 0 });
  expect(held.begun.map(({ id }) => id)).toEqual(['running']);
  expect(await service.jobs.find(OWNER, 'waiting')).toMatchObject({ status: 'in_progress', attempts: 0 });
});

const NOW = { isAborted: false, tries: 1, ageMs: 0 };
const BUSY = new RxscribeError('unavailable', 'all are in use');

test('any error of a task while the service stops runs it again at once', () => {
  for (const error of [BUSY, new JobFailedError('invalid_media', 'x'), new Error('x'), undefined]) {
    expect(decideOnFailure(error, { ...NOW, isAborted: true })).toEqual({ type: 'again', inSeconds: 0 });
  }
});

test('a temporary error is retried after growing delays up to a minute', () => {
  const waits = [1, 2, 3, 6, 7, 50].map(tries => decideOnFailure(BUSY, { ...NOW, tries }));
  expect(waits).toEqual([1, 2, 4, 32, 60, 60].map(inSeconds => ({ type: 'again', inSeconds })));
  const full = new Error('write', { cause: Object.assign(new Error('no space'), { code: 'ENOSPC' }) });
  for (const away of [new RxscribeError('store', 'away'), full]) {
    expect(decideOnFailure(away, NOW)).toEqual({ type: 'again', inSeconds: 1 });
  }
});

test('a temporary error that lasts a day fails the job', () => {
  const decision = decideOnFailure(BUSY, { ...NOW, tries: 999, ageMs: RETRY_WINDOW_MS });
  expect(decision).toMatchObject({
    type: 'fail',
    outcome: { failure: 'internal_processing' },
    isFault: true,
  });
  expect(JSON.stringify(decision)).not.toContain('in use');
});

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

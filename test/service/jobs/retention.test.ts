import { readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createId } from '../../../src/base/ids.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { JOB_MAINTENANCE_INTERVAL_MS } from '../../../src/service/jobs/maintenance.ts';
import { RETENTION_SECONDS } from '../../../src/service/jobs/retention.ts';
import type { Task } from '../../../src/service/jobs/task.ts';
import { CHECKPOINT_INTERVAL_MS, VACUUM_INTERVAL_MS } from '../../../src/service/store/maintenance.ts';
import { collect } from '../../helpers/collect.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore, type StorePlace } from '../../helpers/jobStore.ts';
import { OWNER, submission, untilJob } from '../../helpers/scriptedTasks.ts';
import { describeOnStores } from '../../helpers/storeBackends.ts';

const RESULT = 'transcribed-quokka';

const transcribe: Task = async () => ({
  results: { transcript: RESULT },
  findings: { about: 'found-narwhal' },
});

function open(place: StorePlace, clock = new VirtualClock(), task = transcribe) {
  return openJobStore(place, { tasks: { async: task, vocabulary: task }, clock });
}

type Running = ReturnType<typeof open>;

/** Creates a file in the spool directory. */
async function upload({ store }: Running, contents: string): Promise<string> {
  const { objects } = await store.opened;
  const path = join(objects.spoolDirectory, createId());
  await writeFile(path, contents);
  return path;
}

const isDone = (job: { status: string } | undefined) => expect(job?.status).toBe('done');

/** Returns the places of texts below a directory: objects, the log or the tables of the database. */
function tracesOf(directory: string, texts: Readonly<Record<string, string>>): Record<string, string[]> {
  const found = Object.keys(texts).map(what => [what, new Set<string>()] as const);
  for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const file = join(directory, path);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) continue;
    const bytes = readFileSync(file);
    for (const [what, places] of found) {
      if (bytes.includes(texts[what]!)) places.add(path.split('/').slice(0, 2).join('/'));
    }
  }
  return Object.fromEntries(found.map(([what, places]) => [what, [...places]]));
}

const traces = (directory: string, text: string) => tracesOf(directory, { text }).text!;

describeOnStores('the retention of a job', ({ locate }) => {
  test('is its own, else that of its account at the start, else 30 days', async context => {
    await using service = open(await locate(context));
    const { jobs, store } = service;
    await service.accounts.initialToken;
    const { db } = await store.opened;
    const setAccount = (deleteAfterSeconds: number | null) =>
      db.updateTable('accounts').set({ deleteAfterSeconds }).execute();
    await jobs.submit(submission('default'));
    await jobs.submit(submission('cv', { type: 'vocabulary', isPermanent: true }));
    await setAccount(60);
    await jobs.submit(submission('account'));
    await jobs.submit(submission('own', { deleteAfterSeconds: 90 }));
    const stream = jobs.start({ id: 'stream', accountId: OWNER, type: 'stream' });
    await jobs.find(OWNER, 'stream');
    await setAccount(30);
    stream.end({ status: 'done' });
    await setAccount(null);
    const kept: Record<string, unknown> = {};
    for (const id of ['default', 'cv', 'account', 'own', 'stream']) {
      await untilJob(jobs, id, isDone);
      const { completedOn, deleteAt, deleteAfterSeconds } = (await jobs.find(OWNER, id))!;
      kept[id] = [deleteAfterSeconds, deleteAt && (deleteAt.getTime() - completedOn!.getTime()) / 1000];
    }
    expect(kept).toEqual({
      default: [undefined, RETENTION_SECONDS],
      cv: [undefined, undefined],
      account: [undefined, 60],
      own: [90, 90],
      stream: [undefined, 60],
    });
  });

  test('may be zero: then its results are never written, and no data is left', async context => {
    const place = await locate(context);
    const written: string[] = [];
    await using service = open(place, undefined, async (_, { media }) => {
      written.push(readFileSync(media!, 'utf8'));
      return { results: { transcript: RESULT } };
    });
    const { objects, db } = await service.store.opened;
    const put = objects.put.bind(objects);
    Object.assign(objects, {
      put: (key: string, contents: string) => {
        written.push(contents);
        return put(key, contents);
      },
    });
    const media = await upload(service, 'uploaded-okapi');
    await service.jobs.submit(submission('Job1', { media, deleteAfterSeconds: 0 }));
    await untilJob(service.jobs, 'Job1', job => expect(job).toBeUndefined());
    await eventually(() => expect(traces(place.dataDirectory!, 'uploaded-okapi')).toEqual([]));
    expect(written).toEqual(['uploaded-okapi']);
    expect(await db.selectFrom('jobs').select('id').execute()).toEqual([]);
    expect(await collect(objects.names('jobs'))).toEqual([]);
  });
});

describeOnStores('a list', ({ locate }) => {
  test('continues after a deleted job for 30 days', async context => {
    const clock = new VirtualClock();
    await using service = open(await locate(context), clock);
    const { jobs } = service;
    const types = ['async'];
    const listed = async (startingAfter?: string, filter = {}, accountId = OWNER) => {
      const page = await jobs.list(accountId, { types, limit: 10, startingAfter, ...filter });
      return page?.map(({ id }) => id);
    };
    for (const id of ['first', 'expired', 'middle', 'removed', 'unkept', 'last']) {
      clock.advance(1);
      const deleteAfterSeconds = { expired: 10, unkept: 0 }[id];
      await jobs.submit(submission(id, { deleteAfterSeconds }));
      await untilJob(jobs, id, job => expect(job?.status).toBe(id === 'unkept' ? undefined : 'done'));
    }
    await jobs.remove('removed');
    await jobs.submit(submission('cv', { type: 'vocabulary', isPermanent: true }));
    await untilJob(jobs, 'cv', isDone);
    await jobs.remove('cv');
    const goesOn = async () => {
      expect(await listed()).toEqual(['last', 'middle', 'first']);
      expect(await listed('unkept')).toEqual(['middle', 'first']);
      expect(await listed('removed')).toEqual(['middle', 'first']);
      expect(await listed('expired')).toEqual(['first']);
    };
    const { deleteAt } = (await jobs.find(OWNER, 'expired'))!;
    clock.advance(deleteAt!.getTime() - clock.wallTime() - 1);
    expect(await jobs.find(OWNER, 'expired')).toBeDefined();
    clock.advance(1);
    // Hidden before it is deleted.
    expect(await jobs.find(OWNER, 'expired')).toBeUndefined();
    await goesOn();
    const { db } = await service.store.opened;
    await eventually(async () => {
      clock.advance(JOB_MAINTENANCE_INTERVAL_MS);
      expect((await db.selectFrom('jobs').select('id').execute()).length).toBe(3);
    });
    await goesOn();
    for (const [id, filter, accountId] of [
      ['removed', {}, 'other'],
      ['removed', { types: ['alignment'] }],
      ['cv', {}],
      ['never', {}],
    ] as const) {
      expect(await listed(id, filter, accountId)).toBeUndefined();
    }
    expect(await listed('cv', { types: ['vocabulary'] })).toEqual([]);
    const remembered = () => db.selectFrom('removedJobs').select('id').execute();
    expect((await remembered()).length).toBe(4);
    clock.advance(31 * 24 * 3_600_000);
    await eventually(async () => expect(await remembered()).not.toContainEqual({ id: 'removed' }));
    expect(await listed('removed')).toBeUndefined();
  });
});

describe('the data directory after a DELETE', () => {
  const WORDS = {
    upload: 'uploaded-okapi',
    result: RESULT,
    finding: 'found-narwhal',
    metadata: 'remarked-axolotl',
    name: 'named-tapir.wav',
    option: 'asked-pangolin',
    address: 'notified-dugong',
    secret: 'authorized-kakapo',
    body: 'described-quoll',
  };
  const found = (directory: string) => tracesOf(directory, WORDS);

  test('has no file of the job, and within an hour no byte of its rows', async () => {
    const directory = await dataDirectory();
    const clock = new VirtualClock();
    await using service = openJobStore(
      { dataDirectory: directory },
      {
        tasks: { async: transcribe, other: async () => ({ results: { transcript: 'kept-result' } }) },
        ...{ clock, describe: () => ({ job: WORDS.body }) },
      },
    );
    const media = await upload(service, WORDS.upload);
    await service.jobs.submit(submission('other', { type: 'other', metadata: 'kept-metadata' }));
    await service.jobs.submit(
      submission('Job1', {
        ...{ media, name: WORDS.name, metadata: WORDS.metadata, options: { text: WORDS.option } },
        notification: { url: `http://${WORDS.address}/`, authorization: WORDS.secret },
      }),
    );
    for (const id of ['other', 'Job1']) await untilJob(service.jobs, id, isDone);
    await eventually(() => expect(traces(directory, WORDS.upload)).toEqual([]));
    const before = found(directory);
    expect(before.result).toEqual(['objects/jobs']);
    // The search does see the files of the database.
    for (const what of ['metadata', 'name', 'option', 'address', 'secret', 'body', 'finding']) {
      expect(before[what]).toContain('db/pg_wal');
    }

    // The planner takes samples while the job exists, but none of user data.
    const { db } = await service.store.opened;
    await eventually(async () => {
      clock.advance(VACUUM_INTERVAL_MS);
      const { rows } = await sql<{ name: string }>`
        select attname as name from pg_stats where tablename = 'jobs'`.execute(db);
      const names = rows.map(({ name }) => name);
      expect(names).toContain('type');
      expect(names.filter(name => /^(name|metadata|options|notification|findings)$/.test(name))).toEqual([]);
    });

    await service.jobs.remove('Job1');
    const atOnce = found(directory);
    expect([atOnce.upload, atOnce.result]).toEqual([[], []]);
    // PostgreSQL keeps deleted data in its files.
    expect(atOnce.metadata).toContain('db/base');

    clock.advance(CHECKPOINT_INTERVAL_MS);
    await eventually(() => {
      const where = new Set(Object.values(found(directory)).flat());
      expect([...where].filter(path => path !== 'db/base')).toEqual([]);
    });
    await eventually(async () => {
      clock.advance(VACUUM_INTERVAL_MS);
      expect(new Set(Object.values(found(directory)).flat())).toEqual(new Set());
    });
    expect(await service.jobs.find(OWNER, 'other')).toMatchObject({ metadata: 'kept-metadata' });
    expect(traces(directory, 'kept-metadata').length).toBeGreaterThan(0);
  });
});

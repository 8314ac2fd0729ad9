import { execFileSync } from 'node:child_process';
import fs, { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { JOB_MAINTENANCE_INTERVAL_MS, LEASE_MS } from '../../../src/service/jobs/maintenance.ts';
import { ABANDONED_MS } from '../../../src/service/jobs/orphans.ts';
import { CHECKPOINT_INTERVAL_MS, VACUUM_INTERVAL_MS } from '../../../src/service/store/maintenance.ts';
import { EMBEDDED_POSTGRES_MAJOR } from '../../../src/service/store/pglite.ts';
import { openStore } from '../../../src/service/store/store.ts';
import { collect } from '../../helpers/collect.ts';
import { dataDirectory, temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore, type StorePlace } from '../../helpers/jobStore.ts';
import { describeOnStores, serverBackend } from '../../helpers/storeBackends.ts';

const server = serverBackend();

const open = (place: StorePlace, clock: VirtualClock, token?: string) =>
  openJobStore(place, { clock, token });

/** A virtual clock that counts the frequent rounds that wait for their time. */
class RoundClock extends VirtualClock {
  #idleRounds = 0;

  override schedule(delayMs: number, callback: () => void): () => void {
    if (delayMs !== JOB_MAINTENANCE_INTERVAL_MS) return super.schedule(delayMs, callback);
    this.#idleRounds++;
    return super.schedule(delayMs, () => {
      this.#idleRounds--;
      callback();
    });
  }

  /** Waits until no round is running: five of job maintenance, and that of the connection for messages of a server. */
  async untilIdle({ store }: ReturnType<typeof open>): Promise<void> {
    const { exclusive } = await store.opened;
    await eventually(() => expect(this.#idleRounds).toBe(exclusive ? 5 : 6));
  }
}

const JOB = { id: 'Job0', accountId: 'owner', type: 'stream', language: 'en', metadata: 'né "à" \u0001' };

describeOnStores('a store', ({ locate }) => {
  test('keeps jobs, their results and credit over a restart', async context => {
    const place = await locate(context);
    const clock = new VirtualClock();
    {
      await using service = open(place, clock, 'secret');
      const job = service.jobs.start({ ...JOB, deleteAfterSeconds: 100 });
      expect(await service.jobs.find('owner', 'Job0')).toMatchObject({ ...JOB, status: 'in_progress' });
      clock.advance(2500);
      job.end({ status: 'done', durationSeconds: 2.25 }, { transcript: 'the result' });
      job.end({ status: 'failed', failure: 'transcription', failureDetail: 'too late' });
      const meter = service.accounts.openMeter('owner');
      meter.use(2.25);
      meter.settle();
      meter.settle();
    }
    await using service = open(place, clock);
    expect(await service.accounts.initialToken).toBeUndefined();
    expect(await service.jobs.find('owner', 'Job0')).toEqual({
      ...JOB,
      attempts: 1,
      reservedSeconds: 0,
      status: 'done',
      createdOn: new Date(clock.wallTime() - 2500),
      completedOn: new Date(clock.wallTime()),
      deleteAt: new Date(clock.wallTime() + 100_000),
      durationSeconds: 2.25,
      deleteAfterSeconds: 100,
      retentionSeconds: 100,
    });
    expect(await service.jobs.result('Job0', 'transcript')).toBe('the result');
    expect(await service.jobs.find('someone', 'Job0')).toBeUndefined();
    expect(await service.jobs.find('owner', 'job0')).toBeUndefined();
    expect(await service.accounts.find('owner')).toEqual({
      id: 'owner',
      email: 'owner@localhost',
      balanceSeconds: 1_000_000_000 - 2.25,
    });
    await service.jobs.remove('Job0');
    await service.jobs.remove('Job0');
    expect(await service.jobs.find('owner', 'Job0')).toBeUndefined();
    expect(await service.jobs.result('Job0', 'transcript')).toBeUndefined();
  });

  test('finishes its opening after giving up, so that nothing that waits for it is lost', async context => {
    const store = openStore({ ...(await locate(context)), clock: systemClock, onError: () => {} });
    store.giveUp();
    await expect(store.opened).resolves.toBeDefined();
    await store.close();
  });

  test('creates the first token once, and stores only its hash', async context => {
    const place = await locate(context);
    const clock = new VirtualClock();
    const first = open(place, clock);
    const token = (await first.accounts.initialToken)!;
    expect(token).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(await first.accounts.authenticate(token)).toMatchObject({ accountId: 'owner' });
    expect(await first.accounts.authenticate(`${token}x`)).toBeUndefined();
    const { db } = await first.store.opened;
    expect(JSON.stringify(await db.selectFrom('tokens').selectAll().execute())).not.toContain(token);
    await first.close();
    await using second = open(place, clock);
    expect(await second.accounts.initialToken).toBeUndefined();
    expect(await second.accounts.authenticate(token)).toMatchObject({ accountId: 'owner' });
  });

  test('accepts a given token before it is open, replacing the earlier one', async context => {
    const place = await locate(context);
    const clock = new VirtualClock();
    const first = open(place, clock);
    const made = (await first.accounts.initialToken)!;
    await first.close();
    await using second = open(place, clock, 'given');
    expect(await second.accounts.authenticate('given')).toMatchObject({ accountId: 'owner' });
    expect(await second.accounts.initialToken).toBeUndefined();
    expect(await second.accounts.authenticate('given')).toMatchObject({ accountId: 'owner' });
    expect(await second.accounts.authenticate(made)).toBeUndefined();
  });

  test('deletes many jobs that expired during a downtime', { tags: 'slow' }, async context => {
    const place = await locate(context);
    const clock = new VirtualClock();
    {
      await using service = open(place, clock);
      for (let i = 0; i < 150; i++) {
        const job = service.jobs.start({ ...JOB, id: `job${i}`, deleteAfterSeconds: 1 });
        job.end({ status: 'done', durationSeconds: 1 }, { transcript: 'words' });
      }
    }
    clock.advance(1000);
    await using service = open(place, clock);
    const { db, objects } = await service.store.opened;
    await service.jobs.find('owner', 'job0');
    await eventually(async () => expect(await db.selectFrom('jobs').select('id').execute()).toEqual([]));
    expect(await collect(objects.names('jobs'))).toEqual([]);
  });

  test('renews the lease of a running job in each round of maintenance', async context => {
    const clock = new RoundClock();
    await using service = open(await locate(context), clock);
    const job = service.jobs.start(JOB);
    await service.jobs.find('owner', 'Job0');
    const { db } = await service.store.opened;
    for (let i = 0; i < 20; i++) {
      await clock.untilIdle(service);
      clock.advance(JOB_MAINTENANCE_INTERVAL_MS);
      await clock.untilIdle(service);
      const { leaseUntil } = await db.selectFrom('jobs').select('leaseUntil').executeTakeFirstOrThrow();
      expect(leaseUntil?.getTime()).toBe(clock.wallTime() + LEASE_MS);
      expect(await service.jobs.find('owner', 'Job0')).toMatchObject({ status: 'in_progress' });
    }
    job.end({ status: 'done', durationSeconds: 600 }, { transcript: 'words' });
    expect(await service.jobs.find('owner', 'Job0')).toMatchObject({ status: 'done' });
  });
});

const FAILED = {
  status: 'failed',
  failure: 'internal_processing',
  failureDetail: 'The service stopped while the job was in progress.',
};

test('an embedded store fails jobs left in progress by an earlier process', async () => {
  const place = { dataDirectory: await dataDirectory() };
  const clock = new VirtualClock();
  {
    await using service = open(place, clock);
    service.jobs.start(JOB);
    await service.jobs.find('owner', 'Job0');
  }
  await using service = open(place, clock);
  expect(await service.jobs.find('owner', 'Job0')).toMatchObject(FAILED);
});

test('services on one server share accounts, and fail jobs whose lease has lapsed and does not change', {
  tags: 'tools',
}, async context => {
  const place = await server.locate(context);
  const clocks = [0, 1, 2].map(() => new RoundClock());
  const services = clocks.map(clock => open(place, clock));
  const tokens = await Promise.all(services.map(({ accounts }) => accounts.initialToken));
  expect(tokens.filter(token => token !== undefined).length).toBe(1);
  const [first, second, third] = services;
  first!.jobs.start(JOB);
  await first!.jobs.find('owner', 'Job0');
  await first!.close();
  await third!.close();
  const clock = clocks[1]!;
  /** Returns the job after another round of the second service. */
  const nextRound = async () => {
    await clock.untilIdle(second!);
    clock.advance(JOB_MAINTENANCE_INTERVAL_MS);
    await clock.untilIdle(second!);
    return second!.jobs.find('owner', 'Job0');
  };
  const rounds = (LEASE_MS + ABANDONED_MS) / JOB_MAINTENANCE_INTERVAL_MS;
  for (let round = 0; round < rounds; round++) {
    expect(await nextRound()).toMatchObject({ status: 'in_progress' });
  }
  expect(await nextRound()).toMatchObject(FAILED);
  await second!.close();
});

test('a service whose clock is ahead leaves the running jobs of others alone', {
  tags: 'tools',
}, async context => {
  const place = await server.locate(context);
  const clock = new RoundClock();
  const ahead = new RoundClock(clock.wallTime() + 10 * LEASE_MS);
  await using owner = open(place, clock);
  const job = owner.jobs.start(JOB);
  await owner.jobs.find('owner', 'Job0');
  await using other = open(place, ahead);
  await other.jobs.find('owner', 'Job0');
  for (let round = 0; round < 10; round++) {
    await clock.untilIdle(owner);
    clock.advance(JOB_MAINTENANCE_INTERVAL_MS);
    await ahead.untilIdle(other);
    ahead.advance(JOB_MAINTENANCE_INTERVAL_MS);
  }
  job.end({ status: 'done', durationSeconds: 300 }, { transcript: 'words' });
  expect(await owner.jobs.find('owner', 'Job0')).toMatchObject({ status: 'done' });
  expect(await owner.jobs.result('Job0', 'transcript')).toBe('words');
});

describe('services on one server share a directory', { tags: 'tools' }, () => {
  test('in which each reads the files of the others, and none removes files being written', async context => {
    const place = await server.locate(context);
    const objects = join(place.dataDirectory!, 'objects');
    const spool = join(objects, '.spool');
    mkdirSync(join(spool, 'of-a-dead-process'), { recursive: true });
    writeFileSync(join(spool, 'of-a-dead-process', 'upload'), 'words');
    writeFileSync(join(spool, 'file'), 'words');
    await using first = open(place, new VirtualClock());
    const { objects: firstObjects } = await first.store.opened;
    const upload = join(firstObjects.spoolDirectory, 'upload');
    writeFileSync(upload, 'words');
    mkdirSync(join(objects, 'submitted', 'just-now'), { recursive: true });
    await using second = open(place, new VirtualClock(Date.now()));
    await second.jobs.find('owner', 'nothing');
    const { objects: secondObjects } = await second.store.opened;
    expect(readdirSync(spool).length).toBe(2);
    await firstObjects.adopt('jobs/a/results/x', upload);
    expect(await secondObjects.get('jobs/a/results/x')).toBe('words');
    await secondObjects.put('jobs/a/results/y', 'more');
    expect(await firstObjects.get('jobs/a/results/y')).toBe('more');
    await second.close();
    expect(readdirSync(spool).length).toBe(1);
    expect(await collect(firstObjects.names('submitted'))).toEqual(['just-now']);
  });

  test('with the id of a start that was interrupted', async context => {
    const place = await server.locate(context);
    const objects = join(place.dataDirectory!, 'objects');
    mkdirSync(objects, { recursive: true });
    writeFileSync(join(objects, '.id'), 'of-interrupted');
    await using service = open(place, new VirtualClock());
    const { db } = await service.store.opened;
    expect(await db.selectFrom('store').select('directoryId').execute()).toEqual([
      { directoryId: 'of-interrupted' },
    ]);
    expect(readdirSync(objects)).not.toContain('id');
  });

  test('a service is refused another directory, or one of an embedded store', async context => {
    const place = await server.locate(context);
    {
      await using _ = open(place, new VirtualClock());
      await _.store.opened;
      expect(() => open({ dataDirectory: place.dataDirectory }, new VirtualClock())).toThrow(
        /another service uses/,
      );
    }
    const elsewhere = { ...place, dataDirectory: await temporaryDirectory() };
    const refused = openStore({ ...elsewhere, clock: systemClock, onError: () => {} });
    await expect(refused.opened).rejects.toThrow(
      /has the objects of another database \(id: none, wanted: \w{14}\)/,
    );
    await refused.close();
    await using again = open(place, new VirtualClock());
    await again.store.opened;
  });
});

describe('a data directory', () => {
  const clock = new VirtualClock();

  test('is created when missing, readable only by its owner', { tags: 'slow' }, async () => {
    const directory = join(await temporaryDirectory(), 'a', 'b');
    {
      await using service = open({ dataDirectory: directory }, clock);
      service.jobs.start(JOB).end({ status: 'done', durationSeconds: 1 }, { transcript: 'words' });
    }
    const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' });
    expect(paths).toContain('objects/jobs/Job0/results/transcript');
    expect(paths.length).toBeGreaterThan(500);
    const readable = ['.', ...paths].filter(path => (statSync(join(directory, path)).mode & 0o077) !== 0);
    expect(readable).toEqual([]);
  });

  test('belongs to one service, in this process and in others, until it closes', async () => {
    const directory = await dataDirectory();
    const service = open({ dataDirectory: directory }, clock);
    expect(() => open({ dataDirectory: directory }, clock)).toThrow(/another service uses/);
    const lock = new URL('../../../src/service/store/directoryLock.ts', import.meta.url);
    const tryToLock = () =>
      execFileSync(process.execPath, [
        '--input-type=module',
        '--eval',
        `import { lockDirectory } from ${JSON.stringify(lock.href)};
         try { lockDirectory(${JSON.stringify(directory)}); console.log('locked') } catch (e) { console.log(e.code) }`,
      ]).toString();
    expect(tryToLock()).toBe('store\n');
    await service.close();
    expect(tryToLock()).toBe('locked\n');
  });

  test('of another version of PostgreSQL is refused, and not left locked', async () => {
    const directory = await dataDirectory();
    writeFileSync(join(directory, 'db', 'PG_VERSION'), '17\n');
    expect(() => open({ dataDirectory: directory }, clock)).toThrow(/is of PostgreSQL 17, not 18/);
    writeFileSync(join(directory, 'db', 'PG_VERSION'), `${EMBEDDED_POSTGRES_MAJOR}\n`);
    await using service = open({ dataDirectory: directory }, clock);
    const { db } = await service.store.opened;
    const { rows } = await sql<{ serverVersion: string }>`show server_version`.execute(db);
    expect(rows[0]?.serverVersion).toMatch(new RegExp(`^${EMBEDDED_POSTGRES_MAJOR}\\.`));
  });

  test('that cannot be created, or is required and missing, is an error at once', async () => {
    const file = join(await temporaryDirectory(), 'file');
    writeFileSync(file, '');
    expect(() => open({ dataDirectory: join(file, 'below') }, clock)).toThrow(
      /Cannot open the data directory .*: a file is in the way\./,
    );
    expect(() => open({ databaseUrl: 'postgres://x' }, clock)).toThrow(
      /'databaseUrl' requires 'dataDirectory'/,
    );
  });

  test('is cleared of unfinished files of a killed process', async () => {
    const directory = await dataDirectory();
    const unfinished = join(directory, 'objects', '.spool');
    mkdirSync(unfinished, { recursive: true });
    writeFileSync(join(unfinished, 'x'), 'words');
    await using service = open({ dataDirectory: directory }, clock);
    await service.store.opened;
    expect(readdirSync(join(directory, 'objects'), { recursive: true })).toEqual(['.spool']);
  });
});

describe('the embedded database', () => {
  test('has a commit on the disk when it is acknowledged', async () => {
    const clock = new VirtualClock();
    await using service = open({ dataDirectory: await dataDirectory() }, clock);
    const { db } = await service.store.opened;
    const setting = async (name: string) =>
      (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)).rows[0]?.value;
    expect([await setting('fsync'), await setting('wal_sync_method')]).toEqual(['on', 'fsync']);
    const synced = fs.fdatasyncSync;
    let calls = 0;
    onTestFinished(() => {
      fs.fdatasyncSync = synced;
      syncBuiltinESMExports();
    });
    fs.fdatasyncSync = descriptor => {
      calls++;
      synced(descriptor);
    };
    syncBuiltinESMExports();
    await db.selectFrom('jobs').select('id').execute();
    expect(calls).toBe(0);
    service.jobs.start(JOB);
    await service.jobs.find('owner', 'Job0');
    expect(calls).toBeGreaterThan(0);
  });

  test('gets a checkpoint every five minutes, and is vacuumed every hour', { tags: 'slow' }, async () => {
    const clock = new VirtualClock();
    // Without jobs, whose queue would be looked at every two seconds of the hour.
    const store = openStore({ dataDirectory: await dataDirectory(), clock, onError: console.error });
    onTestFinished(() => store.close());
    const { db } = await store.opened;
    const checkpoint = async () =>
      (await sql<{ lsn: string }>`select redo_lsn as lsn from pg_control_checkpoint()`.execute(db)).rows[0]
        ?.lsn;
    const vacuums = async () =>
      (
        await sql<{
          count: number;
        }>`select vacuum_count as count from pg_stat_user_tables where relname = 'accounts'`.execute(db)
      ).rows[0]?.count;
    const before = await checkpoint();
    const account = { id: 'a', email: 'a', balanceSeconds: 1, createdOn: new Date(0) };
    await db.insertInto('accounts').values(account).execute();
    expect(await checkpoint()).toBe(before);
    clock.advance(CHECKPOINT_INTERVAL_MS);
    await expect.poll(checkpoint).not.toBe(before);
    expect(await vacuums()).toBe(0);
    const nextRound = async () => {
      clock.advance(CHECKPOINT_INTERVAL_MS);
      return vacuums();
    };
    await expect.poll(nextRound).toBe(1);
    expect(clock.now()).toBeGreaterThanOrEqual(VACUUM_INTERVAL_MS);
  });
});

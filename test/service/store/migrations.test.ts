// @module-tag tools

import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashToken } from '../../../src/service/accounts/tokens.ts';
import { MIGRATIONS } from '../../../src/service/store/migrations.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { openJobStore, type StorePlace } from '../../helpers/jobStore.ts';
import { needs } from '../../helpers/needs.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../helpers/postgresServer.ts';
import { submission, untilJob } from '../../helpers/scriptedTasks.ts';

const programs = postgresPrograms();
let server: PostgresServer | undefined;
beforeAll(async () => {
  if (programs) server = await startPostgres(programs);
}, 120_000);
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

/** Creates a database as a release left it, by the name of its last change and the statements that it ran. */
async function databaseOf(
  change: string,
  statements: readonly [string, ...unknown[]][],
): Promise<StorePlace> {
  const databaseUrl = await server!.createDatabase();
  const db = new Kysely<never>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl }) }),
  });
  await new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } }).migrateTo(change);
  await db.destroy();
  for (const [statement, ...values] of statements) await run(databaseUrl, statement, values);
  return { databaseUrl, dataDirectory: await temporaryDirectory() };
}

/** Runs a statement as a process of another release. */
async function run(databaseUrl: string, statement: string, values: readonly unknown[] = []) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}

test('a database of the first release keeps its account and its tokens', async context => {
  needs(context, server ? undefined : 'the package postgresql');
  const place = await databaseOf('0001_accounts_and_jobs', [
    [`insert into accounts values ('owner', 'owner@localhost', 12.5, '2026-01-01')`],
    ['insert into tokens values ($1, $2, $3)', hashToken('older'), 'owner', '2026-01-01'],
    ['insert into tokens values ($1, $2, $3)', hashToken('newer'), 'owner', '2026-01-02'],
  ]);
  {
    await using service = openJobStore(place);
    expect(await service.accounts.initialToken).toBeUndefined();
    expect(await service.accounts.authenticate('older')).toEqual({ accountId: 'owner', limits: {} });
    expect(await service.accounts.authenticate('newer')).toBeDefined();
    expect(await service.accounts.administration.find('owner')).toMatchObject({
      balanceSeconds: 12.5,
      reservedSeconds: 0,
    });
    const ids = (await service.accounts.administration.listTokens('owner')).map(({ id }) => id);
    expect(ids).toEqual([expect.stringMatching(/^\w{14}$/), 'first']);
  }
  // A token given at a start replaces only that of the first start.
  await using service = openJobStore(place, { token: 'given' });
  await service.accounts.prepared;
  expect(await service.accounts.authenticate('newer')).toBeUndefined();
  expect(await service.accounts.authenticate('older')).toBeDefined();
  expect(await service.accounts.authenticate('given')).toBeDefined();
});

const ACCOUNT = [
  `insert into accounts (id, email, balance_seconds, created_on) values ('owner', 'owner@localhost', 100, now())`,
] as [string];
const JOB = `
  insert into jobs (id, account_id, type, status, created_on, attempts, reserved_seconds, retention_seconds, lease_until)
  values ($1, 'owner', 'stream', 'in_progress', now(), 1, 0, 3600, now() + interval '1 minute') returning id`;

test('the release before goes on writing to a database that this one has expanded', async context => {
  needs(context, server ? undefined : 'the package postgresql');
  const place = await databaseOf('0004_removed_jobs', [ACCOUNT, [JOB, 'before']]);
  await using service = openJobStore(place, {
    tasks: { async: async () => ({ durationSeconds: 2, results: {} }) },
  });
  await service.jobs.submit(submission('Job1'));
  await untilJob(service.jobs, 'Job1', job => expect(job?.status).toBe('done'));
  expect(await run(place.databaseUrl!, JOB, ['after'])).toEqual([{ id: 'after' }]);
  const end = `update jobs set status = 'done', completed_on = now(), lease_until = null where id = $1 returning status`;
  for (const id of ['before', 'after']) {
    expect(await service.jobs.find('owner', id)).toMatchObject({ status: 'in_progress' });
    expect(await run(place.databaseUrl!, end, [id])).toEqual([{ status: 'done' }]);
    expect(await service.jobs.find('owner', id)).toMatchObject({ status: 'done' });
  }
});

test('a service works on a database that a later release has expanded, also after a restart', async context => {
  needs(context, server ? undefined : 'the package postgresql');
  const place = { databaseUrl: await server!.createDatabase(), dataDirectory: await temporaryDirectory() };
  for (const id of ['Job1', 'Job2']) {
    await using service = openJobStore(place, {
      tasks: { async: async () => ({ durationSeconds: 2, results: {} }) },
    });
    await service.jobs.submit(submission(id));
    await untilJob(service.jobs, id, job => expect(job?.status).toBe('done'));
    if (id !== 'Job1') continue;
    const { db } = await service.store.opened;
    await sql`alter table jobs add column colour text`.execute(db);
    await sql`insert into kysely_migration (name, timestamp) values ('9998_expand_colours', '2030')`.execute(
      db,
    );
  }
});

test('a service refuses a database from which a later release has removed something', async context => {
  needs(context, server ? undefined : 'the package postgresql');
  const place = await databaseOf('0005_expand_machines', [
    [`insert into kysely_migration (name, timestamp) values ('9999_contract_colours', '2030')`],
  ]);
  await using service = openJobStore(place, { onError: () => {} });
  await expect(service.store.opened).rejects.toMatchObject({
    code: 'store',
    message:
      'Cannot migrate the database: a later release has changed it (9999_contract_colours); use that release.',
  });
});

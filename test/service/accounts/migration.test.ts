import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashToken } from '../../../src/service/accounts/tokens.ts';
import { migrations } from '../../../src/service/store/migrations.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { needs } from '../../helpers/needs.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../helpers/postgresServer.ts';

const programs = postgresPrograms();
let server: PostgresServer | undefined;
beforeAll(async () => {
  if (programs) server = await startPostgres(programs);
}, 120_000);
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

/** Creates a database of the first release, with the token of its first account. */
async function firstRelease(): Promise<string> {
  const databaseUrl = await server!.createDatabase();
  const db = new Kysely<never>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl }) }),
  });
  await new Migrator({ db, provider: migrations }).migrateTo('0001_accounts_and_jobs');
  await db.destroy();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`insert into accounts values ('owner', 'owner@localhost', 12.5, '2026-01-01')`);
  for (const [token, createdOn] of [
    ['older', '2026-01-01'],
    ['newer', '2026-01-02'],
  ]) {
    await client.query('insert into tokens values ($1, $2, $3)', [hashToken(token!), 'owner', createdOn]);
  }
  await client.end();
  return databaseUrl;
}

test('a database of the first release keeps its account and its tokens', { tags: 'tools' }, async context => {
  needs(context, server ? undefined : 'the package postgresql');
  const place = { databaseUrl: await firstRelease(), dataDirectory: await temporaryDirectory() };
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

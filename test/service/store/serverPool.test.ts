import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDatabaseUrl, createServerPool } from '../../../src/service/store/serverPool.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../helpers/postgresServer.ts';

const programs = postgresPrograms();
let database: PostgresServer | undefined;
beforeAll(async () => {
  if (programs) database = await startPostgres(programs);
}, 120_000);
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
});

test('a statement that takes too long fails, its transaction with it, and the next one has another connection', async ({
  skip,
}) => {
  if (!database) return skip('needs the package postgresql');
  const pool = createServerPool(await database.createDatabase(), () => {});
  await using db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  await sql`select pg_sleep(0.2)`.execute(db);
  pool.limitQueries(100);
  const hanging = db.transaction().execute(trx => sql`select pg_sleep(600)`.execute(trx));
  await expect(hanging).rejects.toMatchObject({
    code: 'store',
    message: 'The database server cannot be reached: Query read timeout.',
  });
  pool.limitQueries(10_000);
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
});

test.each([
  ['postgres://u:secret@h/db?port=abc', /its port must be from 1 to 65535/],
  ['postgres://u:secret@h/db?port=99999', /its port must be from 1 to 65535/],
  ['postgres://u:secret@h/db?sslmode=bogus', /its sslmode must be one of disable, prefer, require, /],
  ['mysql://u:secret@h/db', /not of mysql/],
])('an address with a fault is refused before it is used: %s', (url, message) => {
  expect(() => checkDatabaseUrl(url)).toThrow(message);
  expect(() => checkDatabaseUrl(url)).not.toThrow(/secret/);
});

test.each(['postgres://u:p@h:5433/db?sslmode=disable', 'postgres://test@/db?host=%2Ftmp&port=5433'])(
  'an address without a fault is taken: %s',
  url => {
    expect(() => checkDatabaseUrl(url)).not.toThrow();
  },
);

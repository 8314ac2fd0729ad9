import { Kysely, PostgresDialect, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { openServerDatabase } from '../../../src/service/store/serverDatabase.ts';
import { checkDatabaseUrl, createServerPool } from '../../../src/service/store/serverPool.ts';
import { serverBackend } from '../../helpers/storeBackends.ts';

const { locate } = serverBackend();

test('a statement that takes too long fails, its transaction with it, and the next one has another connection', {
  tags: 'tools',
}, async context => {
  const pool = createServerPool((await locate(context)).databaseUrl, () => {});
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

/** Opens a database once: the clock of a second attempt does not advance. */
function open(url: string) {
  const unreachable: string[] = [];
  const opened = openServerDatabase(url, {
    clock: new VirtualClock(),
    onError: () => {},
    onUnreachable: ({ reason }) => unreachable.push(reason),
    signal: AbortSignal.timeout(20_000),
  });
  return { opened, unreachable };
}

describe('opening a database on a server fails at once', { tags: 'tools' }, () => {
  const ADVICE = 'Check the user, password and name in its address.';

  test.for([
    ['that does not exist', /\/test\d+\?/, '/nothing?', 'database "nothing" does not exist'],
    ['for an unknown user', 'test@', 'nobody@', 'role "nobody" does not exist'],
  ] as const)('%s', async ([, part, other, reason], context) => {
    const { databaseUrl } = await locate(context);
    const { opened, unreachable } = open(databaseUrl.replace(part, other));
    await expect(opened).rejects.toMatchObject({
      code: 'store',
      message: `Cannot connect to the database: ${reason}. ${ADVICE}`,
    });
    expect(unreachable).toEqual([]);
  });

  test('whose migration fails is not used', async context => {
    const { databaseUrl: url } = await locate(context);
    const { db, close } = await open(url).opened;
    await sql`insert into kysely_migration (name, timestamp) values ('9999', '2020')`.execute(db);
    await close();
    const { opened, unreachable } = open(url);
    await expect(opened).rejects.toMatchObject({
      code: 'store',
      message: expect.stringMatching(/^Cannot migrate the database: .*9999/),
    });
    expect(unreachable).toEqual([]);
  });
});

test('opening a database is tried again while its server has no free connection', {
  tags: 'tools',
}, async context => {
  const { databaseUrl: url } = await locate(context);
  const { db, close } = await open(url).opened;
  const clock = new VirtualClock();
  const { promise: refused, resolve } = Promise.withResolvers<string>();
  const name = sql.id(new URL(url.replace('@/', '@localhost/')).pathname.slice(1));
  await sql`create role guest login`.execute(db);
  await sql`grant all on schema public to guest`.execute(db);
  await sql`grant all on all tables in schema public to guest`.execute(db);
  await sql`alter database ${name} connection limit 0`.execute(db);
  const opened = openServerDatabase(url.replace('test@', 'guest@'), {
    clock,
    onError: () => {},
    onUnreachable: ({ reason }) => resolve(reason),
    signal: AbortSignal.timeout(20_000),
  });
  expect(await refused).toMatch(/^too many connections for database/);
  await sql`alter database ${name} connection limit 10`.execute(db);
  clock.advance(2000);
  await (await opened).close();
  await close();
});

// @module-tag tools

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { openServerDatabase } from '../../../src/service/store/serverDatabase.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../helpers/postgresServer.ts';

const programs = postgresPrograms();
let server: PostgresServer;
beforeAll(async () => {
  if (programs) server = await startPostgres(programs);
}, 120_000);
afterAll(() => server?.[Symbol.asyncDispose]());

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

describe.skipIf(!programs)('opening a database on a server fails at once', () => {
  const ADVICE = 'Check the user, password and name in its address.';

  test.each([
    ['that does not exist', /\/test\d+\?/, '/nothing?', 'database "nothing" does not exist'],
    ['for an unknown user', 'test@', 'nobody@', 'role "nobody" does not exist'],
  ])('%s', async (_, part, other, reason) => {
    const { opened, unreachable } = open((await server.createDatabase()).replace(part, other));
    await expect(opened).rejects.toMatchObject({
      code: 'store',
      message: `Cannot connect to the database: ${reason}. ${ADVICE}`,
    });
    expect(unreachable).toEqual([]);
  });

  test('whose migration fails', async () => {
    const url = await server.createDatabase();
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

test.skipIf(!programs)(
  'opening a database is tried again while its server has no free connection',
  async () => {
    const url = await server.createDatabase();
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
  },
);

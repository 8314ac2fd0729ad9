import { afterAll, beforeAll, type TestContext } from 'vitest';
import type { StoreOptions } from '../../src/service/store/store.ts';
import { dataDirectory, temporaryDirectory } from './dataDirectory.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from './postgresServer.ts';

/** A kind of database that stores stand on. */
export interface StoreBackend {
  readonly name: string;
  /** Where a new, empty store is; skips the test when there is none of this kind. */
  locate(context: Pick<TestContext, 'skip'>): Promise<Pick<StoreOptions, 'dataDirectory' | 'databaseUrl'>>;
}

/** Both kinds, for the tests of one file. */
export function storeBackends(): readonly StoreBackend[] {
  const programs = postgresPrograms();
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    if (programs) server = await startPostgres(programs);
  }, 120_000);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  });
  return [
    { name: 'embedded', locate: async () => ({ dataDirectory: await dataDirectory() }) },
    {
      name: 'server',
      async locate({ skip }) {
        if (!server) skip('needs the package postgresql');
        return { dataDirectory: await temporaryDirectory(), databaseUrl: await server!.createDatabase() };
      },
    },
  ];
}

import { afterAll, beforeAll, describe, type TestContext } from 'vitest';
import type { StoreOptions } from '../../src/service/store/store.ts';
import { dataDirectory, temporaryDirectory } from './dataDirectory.ts';
import { needs } from './needs.ts';
import { missingObjectServer, type ObjectServer, startObjectServer } from './objectServer.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from './postgresServer.ts';

/** A kind of database under a store. */
export interface StoreBackend {
  /** Returns the place of a new, empty store. */
  locate(context: TestContext): Promise<Pick<StoreOptions, 'dataDirectory' | 'databaseUrl' | 'objects'>>;
}

/** The database that comes with the service. */
export const embeddedBackend: StoreBackend = {
  locate: async () => ({ dataDirectory: await dataDirectory() }),
};

/** A PostgreSQL server, which all tests of a file share; starts with the first that needs it. */
export function serverBackend() {
  let started: Promise<PostgresServer> | undefined;
  afterAll(async () => {
    await (await started)?.[Symbol.asyncDispose]();
  });
  /** Returns the server, or skips the test. */
  function start(context: TestContext): Promise<PostgresServer> {
    const programs = postgresPrograms();
    needs(context, programs ? undefined : 'the package postgresql');
    started ??= startPostgres(programs!);
    return started;
  }
  return {
    start,
    async locate(context: TestContext) {
      const server = await start(context);
      return { dataDirectory: await temporaryDirectory(), databaseUrl: await server.createDatabase() };
    },
  };
}

/** A PostgreSQL server with the objects in a bucket, on servers which all tests of a group share. */
export function bucketBackend(): StoreBackend {
  const database = serverBackend();
  let server: ObjectServer | undefined;
  // Its parts take longer to start on a busy machine than a test may.
  beforeAll(async () => {
    if (missingObjectServer() === undefined) server = await startObjectServer();
  }, 300_000);
  afterAll(() => server?.[Symbol.asyncDispose]());
  return {
    async locate(context) {
      needs(context, missingObjectServer());
      return { ...(await database.locate(context)), objects: server!.createPlace() };
    },
  };
}

/**
 * Describes a store of each kind; the tests on servers bear the tag `tools`.
 *
 * @example
 * describeOnStores('credit', ({ locate }) => {
 *   test('is kept', async context => openJobStore(await locate(context)));
 * });
 */
export function describeOnStores(name: string, tests: (backend: StoreBackend) => void): void {
  describe(`${name} (embedded)`, () => tests(embeddedBackend));
  describe(`${name} (server)`, { tags: 'tools' }, () => tests(serverBackend()));
  describe(`${name} (server and bucket)`, { tags: 'tools' }, () => tests(bucketBackend()));
}

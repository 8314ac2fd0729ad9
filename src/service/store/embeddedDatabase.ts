import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PGliteDialect } from 'kysely';
import { fromPglite } from 'pg-boss';
import { RxscribeError } from '../../base/errors.ts';
import type { Instruments } from '../telemetry/createInstruments.ts';
import { openMemoryPglite } from './clusterTemplate.ts';
import { type MaintenanceOptions, maintain } from './maintenance.ts';
import { EMBEDDED_POSTGRES_MAJOR, openPglite, type PGlite } from './pglite.ts';
import { type Database, migrated } from './serverDatabase.ts';

/**
 * Checks that an existing database is of the embedded major version of PostgreSQL, before it is opened.
 *
 * @throws RxscribeError `store`
 */
export function checkDatabaseVersion(directory: string): void {
  const path = join(directory, 'PG_VERSION');
  if (!existsSync(path)) return;
  const found = readFileSync(path, 'utf8').trim();
  if (found === String(EMBEDDED_POSTGRES_MAJOR)) return;
  throw new RxscribeError(
    'store',
    `The database in '${directory}' is of PostgreSQL ${found}, not ${EMBEDDED_POSTGRES_MAJOR}. ` +
      'Dump it with the release that created it.',
  );
}

export interface EmbeddedDatabaseOptions extends MaintenanceOptions {
  /** Default: the time of statements is not recorded. */
  readonly instruments?: Instruments;
}

/** Opens the database in a locked directory; creates it when it is missing. */
export async function openEmbeddedDatabase(
  directory: string,
  options: EmbeddedDatabaseOptions,
): Promise<Database> {
  if (!existsSync(directory)) await createCluster(directory);
  return maintained(await openPglite(directory), options);
}

/** Opens a database in memory. */
export async function openMemoryDatabase(options: EmbeddedDatabaseOptions): Promise<Database> {
  return maintained(await openMemoryPglite(), options);
}

/** Creates the files aside and moves them into place, so that a killed start leaves no partial database. */
async function createCluster(directory: string): Promise<void> {
  const unfinished = `${directory}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const file = new URL(`./newCluster${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(file, { workerData: { directory: unfinished } });
  const [exitCode] = await once(worker, 'exit').catch(cause => {
    throw new RxscribeError('store', `Cannot create a database in '${directory}': ${reasonOf(cause)}.`, {
      cause,
    });
  });
  if (exitCode !== 0) {
    throw new RxscribeError('store', `Cannot create a database in '${directory}': exit code ${exitCode}.`);
  }
  await rename(unfinished, directory);
}

/** Returns the message of a failure of the embedded engine, whose file system throws values that are not errors. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  const { errno } = Object(thrown) as { readonly errno?: unknown };
  return `the file system failed (error ${errno})`;
}

async function maintained(pglite: PGlite, options: EmbeddedDatabaseOptions): Promise<Database> {
  const database = await migrated(new PGliteDialect({ pglite }), {
    exclusive: true,
    queueDatabase: { backend: 'pglite', db: fromPglite(pglite) },
    instruments: options.instruments,
  });
  const stop = maintain(pglite, options);
  return {
    ...database,
    async close() {
      await stop();
      await database.close();
    },
  };
}

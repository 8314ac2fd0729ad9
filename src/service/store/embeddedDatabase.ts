import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PGliteDialect } from 'kysely';
import { fromPglite } from 'pg-boss';
import { RxscribeError } from '../../base/errors.ts';
import { openMemoryPglite } from './clusterTemplate.ts';
import { type MaintenanceOptions, maintain } from './maintenance.ts';
import { EMBEDDED_POSTGRES_MAJOR, openPglite, type PGlite } from './pglite.ts';
import { type Database, migrated } from './serverDatabase.ts';

/**
 * Refuses a directory whose database is of another major version of PostgreSQL, before anything is opened.
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
    `open database: wanted a directory of PostgreSQL ${EMBEDDED_POSTGRES_MAJOR}, found one of ${found} in ` +
      `${directory}: dump it with the release that made it`,
  );
}

/** Opens the database in a directory, which must be locked; makes it when it is missing. */
export async function openEmbeddedDatabase(
  directory: string,
  options: MaintenanceOptions,
): Promise<Database> {
  if (!existsSync(directory)) await createCluster(directory);
  return maintained(await openPglite(directory), options);
}

/** A database that is gone when it is closed. */
export async function openMemoryDatabase(options: MaintenanceOptions): Promise<Database> {
  return maintained(await openMemoryPglite(), options);
}

/** Makes the files aside and moves them into place: a start that is killed leaves no half of a database. */
async function createCluster(directory: string): Promise<void> {
  const unfinished = `${directory}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const file = new URL(`./newCluster${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(file, { workerData: { directory: unfinished } });
  const [exitCode] = await once(worker, 'exit').catch(cause => {
    throw new RxscribeError('store', `make database in ${directory}: ${reasonOf(cause)}`, { cause });
  });
  if (exitCode !== 0) {
    throw new RxscribeError('store', `make database in ${directory}: wanted exit code 0, found ${exitCode}`);
  }
  await rename(unfinished, directory);
}

/** The embedded engine throws values that are no errors: its file system has a class of its own. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  const { errno } = Object(thrown) as { readonly errno?: unknown };
  return `the file system failed (error ${errno})`;
}

async function maintained(pglite: PGlite, options: MaintenanceOptions): Promise<Database> {
  const database = await migrated(new PGliteDialect({ pglite }), {
    exclusive: true,
    queueDatabase: { backend: 'pglite', db: fromPglite(pglite) },
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

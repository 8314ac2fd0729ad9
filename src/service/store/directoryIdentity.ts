import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { RxscribeError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import type { Tables } from './tables.ts';

/**
 * Checks that a directory of objects belongs to a database: services that share a database server must share the
 * directory too, or they could not read each other's files. The first service to start decides.
 *
 * @throws RxscribeError `store`
 */
export async function checkDirectoryIdentity(db: Kysely<Tables>, directory: string): Promise<void> {
  const found = await directoryId(directory);
  await db
    .insertInto('store')
    .values({ directoryId: found })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  const { directoryId: wanted } = await db
    .selectFrom('store')
    .select('directoryId')
    .executeTakeFirstOrThrow();
  if (wanted === found) return;
  throw new RxscribeError(
    'store',
    `Data directory '${directory}' has the files of another database (its id: ${found}, wanted: ${wanted}). ` +
      'Use the data directory of this database.',
  );
}

/** Returns the id of a directory, created at the first call. */
async function directoryId(directory: string): Promise<string> {
  const path = join(directory, '.id');
  const draft = `${path}.${createId()}`;
  await writeFile(draft, createId(), { mode: 0o600, flush: true });
  try {
    // Unlike a rename, a link fails when the name is taken.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
  return readFile(path, 'utf8');
}

import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { RxscribeError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import type { Tables } from './tables.ts';

/**
 * Makes sure that a directory of objects is the one of a database: services that share a database server share the
 * directory too, or one would look in vain for what another has written. The first of them decides.
 *
 * @throws RxscribeError `store`
 */
export async function checkBelonging(db: Kysely<Tables>, directory: string): Promise<void> {
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
    `open store: wanted the data directory with the files of this database (${wanted}), found another one (${found}) ` +
      `in ${directory}`,
  );
}

/** The name of a directory, which is given once. */
async function directoryId(directory: string): Promise<string> {
  const path = join(directory, '.id');
  const draft = `${path}.${createId()}`;
  await writeFile(draft, createId(), { mode: 0o600, flush: true });
  try {
    // Unlike a rename it fails when the name is taken.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
  return readFile(path, 'utf8');
}

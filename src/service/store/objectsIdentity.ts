import type { Kysely } from 'kysely';
import { RxscribeError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import type { Objects } from './objects.ts';
import type { Tables } from './tables.ts';

/** Key of the id, which is always there once a store is open. */
export const ID_KEY = '.id';

/**
 * Checks that objects belong to a database: services that share a database server must share the objects too, or they could not
 * read each other's objects, and would delete them as leftovers. The first service to start decides.
 *
 * @param where place of the objects in messages, such as `Data directory 'data'`
 * @throws RxscribeError `store`
 */
export function checkObjectsIdentity(
  db: Kysely<Tables>,
  objects: Pick<Objects, 'get' | 'put' | 'names'>,
  where: string,
): Promise<void> {
  return db.transaction().execute(async trx => {
    const found = await objects.get(ID_KEY);
    const id = found ?? createId();
    // Waits for another service in this check.
    const first = await trx
      .insertInto('store')
      .values({ directoryId: id })
      .onConflict(conflict => conflict.doNothing())
      .returning('directoryId')
      .executeTakeFirst();
    if (first && found === undefined) {
      await objects.put(ID_KEY, id);
      if ((await objects.get(ID_KEY)) === id) return undefined;
      throw new RxscribeError('store', `${where} returns other contents than were put there.`);
    }
    if (first) {
      // An id alone was left by a service that ended before its transaction; otherwise a new database would get the objects of
      // an older one.
      if (await isEmpty(objects)) return undefined;
      throw refused(where, { found, wanted: undefined });
    }
    const { directoryId: wanted } = await trx
      .selectFrom('store')
      .select('directoryId')
      .executeTakeFirstOrThrow();
    const now = await objects.get(ID_KEY);
    if (now !== wanted) throw refused(where, { found: now, wanted });
    return undefined;
  });
}

async function isEmpty(objects: Pick<Objects, 'names'>): Promise<boolean> {
  // The id and files being written have hidden names.
  for await (const name of objects.names('')) {
    if (!name.startsWith('.')) return false;
  }
  return true;
}

function refused(
  where: string,
  { found = 'none', wanted = 'none' }: { readonly found?: string; readonly wanted?: string },
): RxscribeError {
  return new RxscribeError(
    'store',
    `${where} has the objects of another database (id: ${found}, wanted: ${wanted}). ` +
      'Use those of this database, or for a new database an empty place.',
  );
}

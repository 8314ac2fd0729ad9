import type { Kysely } from 'kysely';
import { RxscribeError } from '../../base/errors.ts';
import type { Objects } from './objects.ts';
import type { Tables } from './tables.ts';

/** Folder of the mark; a hidden name, like that of the id. */
const FOLDER = '.import';
const KEY = `${FOLDER}/begun`;

/** Marks a store as the target of an unfinished import. */
export async function markImport(objects: Objects, begunOn: Date): Promise<void> {
  await objects.put(KEY, begunOn.toISOString());
}

/** Removes the mark of an import whose rows are stored. */
export async function removeImportMark(objects: Objects): Promise<void> {
  await objects.removeAll(FOLDER);
}

/**
 * Resolves with true when an import into the store has begun and not ended. Removes the mark of an import that was stopped
 * after storing its rows: accounts are stored together with all other rows.
 */
export async function isImportBegun(db: Kysely<Tables>, objects: Objects): Promise<boolean> {
  if ((await objects.get(KEY)) === undefined) return false;
  const account = await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
  if (!account) return true;
  await removeImportMark(objects);
  return false;
}

/** @throws RxscribeError `store` when the store has only a part of an import */
export async function refuseImport(db: Kysely<Tables>, objects: Objects): Promise<void> {
  if (!(await isImportBegun(db, objects))) return;
  throw new RxscribeError(
    'store',
    'Cannot open the store: an import into it is in progress, or was interrupted. Run the import again.',
  );
}

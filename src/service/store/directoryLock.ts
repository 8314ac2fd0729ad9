import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { RxscribeError } from '../../base/errors.ts';

/** A lock on a data directory. */
export type DirectoryLock = ReturnType<typeof lockDirectory>;

/** SQLite's SQLITE_BUSY: another process holds the lock. */
const BUSY = 5;

/**
 * Locks a data directory against all other processes, and against a second service in this one.
 *
 * The kernel holds the lock, through SQLite on `lock.db`: `kill -9` releases it, and no stale file can hold it.
 *
 * @param options.isShared locks only against exclusive use
 * @throws RxscribeError `store` when the directory is in use
 */
export function lockDirectory(directory: string, options = { isShared: false }) {
  const path = join(directory, 'lock.db');
  // Only when missing: closing the file by other means would release the kernel's lock of this process.
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600, flag: 'a' });
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // A read within a transaction takes a lock that others may share.
    database.exec(options.isShared ? 'BEGIN; SELECT 1 FROM sqlite_schema' : 'BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    if ((cause as { errcode?: number }).errcode !== BUSY) throw cause;
    const problem = options.isShared
      ? `a service with an embedded database uses '${directory}'`
      : `another service uses '${directory}'`;
    throw new RxscribeError('store', `Cannot open the data directory: ${problem}. Stop that service first.`, {
      cause,
    });
  }
  return { release: () => database.close() };
}

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { RxscribeError } from '../../base/errors.ts';

/** A data directory that is in use. */
export interface DirectoryLock {
  release(): void;
}

/** SQLite's SQLITE_BUSY: somebody else holds the lock. */
const BUSY = 5;

/**
 * Locks a data directory against every other process, and against a second service in this one.
 *
 * @param options.isShared only against those that want it for themselves alone
 *
 * The lock is the kernel's, taken through SQLite on `lock.db`: `kill -9` frees it, and no stale file can hold it.
 *
 * @throws RxscribeError `store` when the directory is in use
 */
export function lockDirectory(directory: string, options = { isShared: false }): DirectoryLock {
  const path = join(directory, 'lock.db');
  // Only when missing: a process that opens and closes the file by other means loses the kernel's lock on it.
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600, flag: 'a' });
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Whoever reads in a transaction holds a lock that others may hold as well.
    database.exec(options.isShared ? 'BEGIN; SELECT 1 FROM sqlite_schema' : 'BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    if ((cause as { errcode?: number }).errcode !== BUSY) throw cause;
    throw new RxscribeError(
      'store',
      `open data directory: wanted it ${options.isShared ? 'to be shared' : 'for this service alone'}, found another ` +
        `service using ${directory}`,
      { cause },
    );
  }
  return { release: () => database.close() };
}

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { RxscribeError } from '../../base/errors.ts';

/** A data directory held by this process alone. */
export interface DirectoryLock {
  release(): void;
}

/** SQLite's SQLITE_BUSY: somebody else holds the lock. */
const BUSY = 5;

/**
 * Locks a data directory against every other process, and against a second service in this one.
 *
 * The lock is the kernel's, taken through SQLite on `lock.db`: `kill -9` frees it, and no stale file can hold it.
 *
 * @throws RxscribeError `store` when the directory is in use
 */
export function lockDirectory(directory: string): DirectoryLock {
  const path = join(directory, 'lock.db');
  // Only when missing: a process that opens and closes the file by other means loses the kernel's lock on it.
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600, flag: 'a' });
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    if ((cause as { errcode?: number }).errcode !== BUSY) throw cause;
    throw new RxscribeError(
      'store',
      `open data directory: wanted it for this service alone, found another one using ${directory}`,
      { cause },
    );
  }
  return { release: () => database.close() };
}

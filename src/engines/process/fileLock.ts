import { existsSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's SQLITE_BUSY: somebody else holds the lock. */
const BUSY = 5;

/**
 * Locks a file against all other processes, and against a second lock in this one. The file stays.
 *
 * The kernel holds the lock, through SQLite: `kill -9` releases it, and no stale file can hold it.
 *
 * @param options.isShared locks only against exclusive use
 * @param options.mode permissions of a new file, less those of the umask; default 0600
 * @returns undefined when somebody else has the lock
 * @throws errors of the file system, and of SQLite when the file cannot be opened or is another one
 */
export function lockFile(path: string, { isShared = false, mode = 0o600 } = {}) {
  // Only when missing: closing the file by other means would release the kernel's lock of this process.
  if (!existsSync(path)) writeFileSync(path, '', { mode, flag: 'a' });
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // A read within a transaction takes a lock that others may share.
    database.exec(isShared ? 'BEGIN; SELECT 1 FROM sqlite_schema' : 'BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    if ((cause as { errcode?: number }).errcode !== BUSY) throw cause;
    return undefined;
  }
  return { release: () => database.close() };
}

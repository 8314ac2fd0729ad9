import { join } from 'node:path';
import { RxscribeError } from '../../base/errors.ts';
import { lockFile } from '../../engines/process/fileLock.ts';

/** A lock on a data directory. */
export type DirectoryLock = ReturnType<typeof lockDirectory>;

/**
 * Locks a data directory against all other processes, and against a second service in this process.
 *
 * @param options.isShared locks only against exclusive use
 * @throws RxscribeError `store` when the directory is in use
 */
export function lockDirectory(directory: string, options = { isShared: false }) {
  const lock = lockFile(join(directory, 'lock.db'), options);
  if (lock) return lock;
  const problem = options.isShared
    ? `a service with an embedded database uses '${directory}'`
    : `another service uses '${directory}'`;
  throw new RxscribeError('store', `Cannot open the data directory: ${problem}. Stop that service first.`);
}

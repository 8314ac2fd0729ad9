import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { RxscribeError, reasonOf } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import { type DirectoryLock, lockDirectory } from './directoryLock.ts';
import { checkDatabaseVersion } from './embeddedDatabase.ts';

const MIB = 1024 * 1024;
/** Bytes of a new embedded database, with some room for data. */
const NEW_DATABASE_BYTES = 64 * MIB;

/** Reasons why a directory cannot be used, by the code of the system's error. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it cannot be created',
  ENOTDIR: 'a file is in the way',
  EEXIST: 'a file is in the way',
  EACCES: 'this user has no permission to write there',
  EPERM: 'this user has no permission to write there',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full',
};

/**
 * Creates a data directory if it does not exist, and locks it for this service.
 *
 * @param options.isShared other services use it as well, with a database on a server
 * @throws RxscribeError `store` for a directory that is read-only, full, in use, or of another version
 */
export function prepareDirectory(directory: string, options: { readonly isShared: boolean }): DirectoryLock {
  const lock = createAndLock(directory, options);
  try {
    if (!options.isShared) checkEmbedded(join(directory, 'db'), directory);
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

function createAndLock(directory: string, options: { readonly isShared: boolean }): DirectoryLock {
  try {
    makeDirectory(directory);
    tryToWrite(directory);
    return lockDirectory(directory, options);
  } catch (cause) {
    if (cause instanceof RxscribeError) throw cause;
    const reason = REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? reasonOf(cause);
    throw new RxscribeError('store', `Cannot open the data directory '${directory}': ${reason}.`, { cause });
  }
}

/** Creates a directory and missing ones above it. Node's own recursion never ends on a file system without directories, such as `/proc`. */
function makeDirectory(directory: string): void {
  const missing: string[] = [];
  for (let path = resolve(directory); !existsSync(path); path = dirname(path)) missing.unshift(path);
  for (const path of missing) mkdirSync(path, { mode: 0o700 });
}

function tryToWrite(directory: string): void {
  const path = join(directory, `.probe.${createId()}`);
  try {
    writeFileSync(path, new Uint8Array(MIB), { mode: 0o600, flag: 'wx', flush: true });
  } finally {
    rmSync(path, { force: true });
  }
}

/** Throws RxscribeError `store` for a database of another version, or without space for a new one. */
function checkEmbedded(database: string, directory: string): void {
  checkDatabaseVersion(database);
  if (existsSync(database)) return;
  const { bavail, bsize } = statfsSync(directory);
  const free = bavail * bsize;
  if (free >= NEW_DATABASE_BYTES) return;
  const mib = (bytes: number) => `${Math.floor(bytes / MIB)} MiB`;
  throw new RxscribeError(
    'store',
    `Cannot open the data directory '${directory}': a new database needs ${mib(NEW_DATABASE_BYTES)} of free space ` +
      `(found: ${mib(free)}).`,
  );
}

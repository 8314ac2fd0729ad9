import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import { type DirectoryLock, lockDirectory } from './directoryLock.ts';
import { checkDatabaseVersion } from './embeddedDatabase.ts';

const MIB = 1024 * 1024;
/** Room that a new embedded database takes, and some for what is kept in it. */
const NEW_DATABASE_BYTES = 64 * MIB;

/** Reasons for which a directory cannot be used, by the code of the system's error. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no directory can be made there',
  ENOTDIR: 'there is a file where a directory should be',
  EEXIST: 'there is a file where a directory should be',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full',
};

/**
 * Makes a data directory unless it is there, and takes it for this service.
 *
 * @param options.isShared other services use it as well, with a database elsewhere
 * @throws RxscribeError `store` for one that cannot be written, is full, in use, or of another version
 */
export function prepareDirectory(directory: string, options: { readonly isShared: boolean }): DirectoryLock {
  const lock = take(directory, options);
  try {
    if (!options.isShared) checkEmbedded(join(directory, 'db'), directory);
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

function take(directory: string, options: { readonly isShared: boolean }): DirectoryLock {
  try {
    makeDirectory(directory);
    tryToWrite(directory);
    return lockDirectory(directory, options);
  } catch (cause) {
    if (cause instanceof RxscribeError) throw cause;
    const reason = REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? messageOf(cause);
    throw new RxscribeError('store', `open data directory ${directory}: ${reason}`, { cause });
  }
}

/** Node's own recursion never ends where a file system takes no directories, such as `/proc`. */
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

/** Throws RxscribeError `store` for a database of another version, and without room for a new one. */
function checkEmbedded(database: string, directory: string): void {
  checkDatabaseVersion(database);
  if (existsSync(database)) return;
  const { bavail, bsize } = statfsSync(directory);
  const free = bavail * bsize;
  if (free >= NEW_DATABASE_BYTES) return;
  const mib = (bytes: number) => `${Math.floor(bytes / MIB)} MiB`;
  throw new RxscribeError(
    'store',
    `open data directory ${directory}: wanted ${mib(NEW_DATABASE_BYTES)} of free space for a new database, ` +
      `found ${mib(free)}`,
  );
}

import { mkdirSync, mkdtempSync } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createId } from '../../base/ids.ts';
import { type DirectoryLock, lockDirectory } from './directoryLock.ts';

/** A directory that belongs to one process while it runs. */
export interface OwnDirectory {
  readonly path: string;
  /** Removes the directory with its contents. */
  close(): Promise<void>;
}

/** Opens the spool of a process that has the store for itself, without files of earlier processes. */
export async function openOwnSpool(path: string): Promise<OwnDirectory> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true, mode: 0o700 });
  return { path, close: async () => {} };
}

/** Opens one of several spools below a directory, one for each process; removes those of processes that have gone. */
export async function openSharedSpool(parent: string): Promise<OwnDirectory> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    const path = join(parent, entry.name);
    if (entry.isDirectory()) await removeUnlessLocked(path);
    else await rm(path, { force: true });
  }
  return lockNew(() => {
    const path = join(parent, createId());
    mkdirSync(path, { mode: 0o700 });
    return path;
  });
}

/** Prefix of our directories among the temporary files of others. */
const TEMPORARY = 'rxscribe-store-';

/** Creates a locked temporary directory, and removes those left by killed processes of this user. */
export async function ownTemporaryDirectory(): Promise<OwnDirectory> {
  const parent = tmpdir();
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter(each => each.startsWith(TEMPORARY))) {
    const path = join(parent, name);
    if (await isOurs(path)) await removeUnlessLocked(path);
  }
  return lockNew(() => mkdtempSync(join(parent, TEMPORARY)));
}

async function isOurs(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  const isOfUser = found?.uid === (process.getuid?.() ?? found?.uid);
  return isOfUser && (found?.isDirectory() ?? false);
}

/** Creates and locks a directory. Another process may remove the new directory as a leftover, but hardly twice. */
function lockNew(make: () => string, tries = 3): OwnDirectory {
  const path = make();
  let lock: DirectoryLock;
  try {
    lock = lockDirectory(path);
  } catch (error) {
    if (tries === 1) throw error;
    return lockNew(make, tries - 1);
  }
  return {
    path,
    async close() {
      await rm(path, { recursive: true, force: true });
      lock.release();
    },
  };
}

async function removeUnlessLocked(directory: string): Promise<void> {
  try {
    const lock = lockDirectory(directory);
    await rm(directory, { recursive: true, force: true });
    lock.release();
  } catch {
    // The process of the directory is running, or another starting process was faster.
  }
}

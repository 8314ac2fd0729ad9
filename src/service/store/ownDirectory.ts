import { mkdirSync, mkdtempSync } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createId } from '../../base/ids.ts';
import { type DirectoryLock, lockDirectory } from './directoryLock.ts';

/** A directory that one process has, for as long as that runs. */
export interface OwnDirectory {
  readonly path: string;
  /** Removes it with all that is in it. */
  close(): Promise<void>;
}

/** Makes one of several directories below another, each locked by its process; what is not locked is removed. */
export async function ownDirectoryBelow(parent: string): Promise<OwnDirectory> {
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

/** Names of our directories among the temporary files of others. */
const TEMPORARY = 'rxscribe-store-';

/** Makes a directory among the temporary files; those that processes of this user left when they were killed are removed. */
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

/** Another process that starts may take the new one for what a process left that is gone; hardly twice. */
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
    // Its process is there, or another one that starts was faster.
  }
}

/** A directory for files that are not yet what they are to be. */
export interface Spool {
  readonly directory: string;
  close(): Promise<void>;
}

/** The spool of a process that has its store for itself: whatever is there was left by one that is gone. */
export async function openOwnSpool(directory: string): Promise<Spool> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return { directory, close: async () => {} };
}

/** One of several spools below a directory, each of a process; those of processes that are gone are removed. */
export async function openSharedSpool(parent: string): Promise<Spool> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const { path, close } = await ownDirectoryBelow(parent);
  return { directory: path, close };
}

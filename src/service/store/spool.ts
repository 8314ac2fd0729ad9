import { mkdirSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createId } from '../../base/ids.ts';
import { type DirectoryLock, lockDirectory } from './directoryLock.ts';

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

/** One of several spools below a directory, each locked by its process; what is not locked is removed. */
export async function openSharedSpool(parent: string): Promise<Spool> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    const path = join(parent, entry.name);
    if (entry.isDirectory()) await removeUnlessLocked(path);
    else await rm(path, { force: true });
  }
  const { directory, lock } = lockNew(parent);
  return {
    directory,
    async close() {
      await rm(directory, { recursive: true, force: true });
      lock.release();
    },
  };
}

/** Another process that starts may take the new one for what a process left that is gone; hardly twice. */
function lockNew(parent: string, tries = 3): { directory: string; lock: DirectoryLock } {
  const directory = join(parent, createId());
  mkdirSync(directory, { mode: 0o700 });
  try {
    return { directory, lock: lockDirectory(directory) };
  } catch (error) {
    if (tries === 1) throw error;
    return lockNew(parent, tries - 1);
  }
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

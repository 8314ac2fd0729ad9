import { mkdir, rm } from 'node:fs/promises';
import { ownDirectoryBelow } from './ownDirectory.ts';

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

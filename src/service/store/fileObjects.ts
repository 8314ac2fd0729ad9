import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { reasonOf } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import type { Objects } from './objects.ts';

/** Creates objects as files that only their owner can read, written to the spool directory first. */
export function createFileObjects(directory: string, spoolDirectory: string): Objects {
  const pathOf = (key: string) => join(directory, key);

  /** Moves a file of the same file system to the path of a key. */
  async function place(key: string, file: string): Promise<string> {
    const path = pathOf(key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(file, path);
    // Makes the new directory entry durable too.
    await syncFile(dirname(path));
    return path;
  }

  return {
    spoolDirectory,
    async put(key, contents) {
      const unfinished = join(spoolDirectory, createId());
      try {
        await writeFile(unfinished, contents, { mode: 0o600, flag: 'wx', flush: true });
        await place(key, unfinished);
      } catch (cause) {
        await rm(unfinished, { force: true });
        throw new Error(`Cannot write '${key}': ${reasonOf(cause)}.`, { cause });
      }
    },
    async adopt(key, path) {
      await chmod(path, 0o600);
      await syncFile(path);
      return place(key, path);
    },
    get: key => unlessMissing(readFile(pathOf(key), 'utf8')),
    async fileOf(key) {
      return (await unlessMissing(stat(pathOf(key)))) && pathOf(key);
    },
    async read(key, range) {
      return (await unlessMissing(open(pathOf(key))))?.createReadStream(range);
    },
    async *names(prefix) {
      yield* (await unlessMissing(readdir(pathOf(prefix)))) ?? [];
    },
    // If another process writes into the folder meanwhile, it is not empty after the deletion: the deletion is repeated.
    removeAll: prefix => rm(pathOf(prefix), { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Resolves with undefined for a file that does not exist. */
async function unlessMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function syncFile(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

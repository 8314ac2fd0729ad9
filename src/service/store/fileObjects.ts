import { chmod, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { FSDriver } from 'flydrive/drivers/fs';
import { reasonOf } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import type { Objects } from './objects.ts';

/** Creates objects as files that only their owner can read, written to the spool directory first. */
export function createFileObjects(directory: string, spoolDirectory: string): Objects {
  // Without flydrive's `Disk`, which drops the dot of hidden names.
  const driver = new PrivateFileDriver(directory, spoolDirectory);
  return {
    spoolDirectory,
    put: (key, contents) => driver.put(key, contents),
    async adopt(key, path) {
      await driver.adopt(key, path);
      return join(directory, key);
    },
    get: key => unlessMissing(driver.get(key)),
    async fileOf(key) {
      const path = join(directory, key);
      return (await unlessMissing(stat(path))) && path;
    },
    async read(key, range) {
      const file = await unlessMissing(open(join(directory, key)));
      return file?.createReadStream(range);
    },
    async *names(prefix) {
      yield* (await unlessMissing(readdir(join(directory, prefix)))) ?? [];
    },
    removeAll: prefix => driver.deleteAll(prefix),
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

/** Writes aside, syncs and renames. flydrive's own driver writes in place, readable for everybody. */
class PrivateFileDriver extends FSDriver {
  readonly #spoolDirectory: string;

  constructor(directory: string, spoolDirectory: string) {
    super({ location: directory, visibility: 'private' });
    this.#spoolDirectory = spoolDirectory;
  }

  override async put(key: string, contents: string | Uint8Array | Readable): Promise<void> {
    const unfinished = join(this.#spoolDirectory, createId());
    try {
      await writeFile(unfinished, contents, { mode: 0o600, flag: 'wx', flush: true });
      await this.#place(key, unfinished);
    } catch (cause) {
      await rm(unfinished, { force: true });
      throw new Error(`Cannot write '${key}': ${reasonOf(cause)}.`, { cause });
    }
  }

  override putStream(key: string, contents: Readable): Promise<void> {
    return this.put(key, contents);
  }

  /** A folder into which another process writes meanwhile is not empty when its files are gone: it is emptied again. */
  override deleteAll(prefix: string): Promise<void> {
    const folder = join(String(this.options.location), prefix);
    return rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Moves a file of the same file system to a key. */
  async adopt(key: string, path: string): Promise<void> {
    await chmod(path, 0o600);
    await syncFile(path);
    await this.#place(key, path);
  }

  async #place(key: string, path: string): Promise<void> {
    const target = join(String(this.options.location), key);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(path, target);
    // Makes the new directory entry durable too.
    await syncFile(dirname(target));
  }
}

async function syncFile(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

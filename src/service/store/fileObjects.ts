import { chmod, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { createId } from '../../base/ids.ts';
import type { Objects } from './objects.ts';

/** Objects as files that only their owner can read; in the spool they are written first. */
export function createFileObjects(directory: string, spoolDirectory: string): Objects {
  const driver = new PrivateFileDriver(directory, spoolDirectory);
  const disk = new Disk(driver);
  return {
    spoolDirectory,
    put: (key, contents) => disk.put(key, contents),
    adopt: (key, path) => driver.adopt(key, path),
    get: key => unlessMissing(disk.get(key)),
    async pathOf(key) {
      const path = join(directory, key);
      return (await unlessMissing(stat(path))) && path;
    },
    names: async prefix => (await unlessMissing(readdir(join(directory, prefix)))) ?? [],
    changedOn: async prefix => (await unlessMissing(stat(join(directory, prefix))))?.mtime,
    removeAll: prefix => disk.deleteAll(prefix),
  };
}

/** Undefined for what is not there. */
async function unlessMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    const codes = [error, (error as Error).cause].map(from => (from as { code?: unknown } | undefined)?.code);
    if (codes.includes('ENOENT')) return undefined;
    throw error;
  }
}

/** Writes aside, syncs and renames: flydrive's own driver writes in place, and for all to read. */
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
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  override putStream(key: string, contents: Readable): Promise<void> {
    return this.put(key, contents);
  }

  /** Moves a file of the same file system into place. */
  async adopt(key: string, path: string): Promise<void> {
    await chmod(path, 0o600);
    await syncFile(path);
    await this.#place(key, path);
  }

  async #place(key: string, path: string): Promise<void> {
    const target = join(String(this.options.location), key);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(path, target);
    // Makes the new name last as well as the contents.
    await syncFile(dirname(target));
  }
}

async function syncFile(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

import { chmod, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { RxscribeError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import type { Spool } from './ownDirectory.ts';

/** Creates objects as files that only their owner can read, written to the spool directory first. */
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

/** Resolves with undefined for a file that does not exist. */
async function unlessMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    const codes = [error, (error as Error).cause].map(from => (from as { code?: unknown } | undefined)?.code);
    if (codes.includes('ENOENT')) return undefined;
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
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  override putStream(key: string, contents: Readable): Promise<void> {
    return this.put(key, contents);
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

/** Named contents of any size besides the rows, such as media and transcripts. */
export interface Objects {
  /** Directory for files that will become objects. Its contents are removed when the process has gone. */
  readonly spoolDirectory: string;
  /** Writes an object atomically, replacing an existing one. */
  put(key: string, contents: string): Promise<void>;
  /** Moves a file of the spool directory to a key. */
  adopt(key: string, path: string): Promise<void>;
  /** Resolves with undefined when the object does not exist. */
  get(key: string): Promise<string | undefined>;
  /** Resolves with the path of an object's file, to be read only; undefined when it does not exist. */
  pathOf(key: string): Promise<string | undefined>;
  /** Resolves with the distinct next parts of the keys that begin with the prefix and a slash. */
  names(prefix: string): Promise<readonly string[]>;
  /** Resolves with the latest change directly below the prefix; undefined when nothing is there. */
  changedOn(prefix: string): Promise<Date | undefined>;
  /** Deletes all objects whose keys begin with the prefix and a slash. */
  removeAll(prefix: string): Promise<void>;
}

export interface ClosableObjects extends Objects {
  /** Refuses further writes; resolves when those in progress are done. */
  close(): Promise<void>;
}

/**
 * Returns objects that refuse writes once closed, so that their directory can be removed: a request that outlives its
 * service would create it again.
 */
export function closableObjects(objects: Objects, spool: Spool): ClosableObjects {
  const writes = new Set<Promise<void>>();
  let isClosed = false;
  const unlessClosed = async (write: () => Promise<void>): Promise<void> => {
    if (isClosed) throw new RxscribeError('store', 'Cannot write to the store: it is closed.');
    const written = write();
    writes.add(written);
    await written.finally(() => writes.delete(written));
  };
  return {
    ...objects,
    put: (key, contents) => unlessClosed(() => objects.put(key, contents)),
    adopt: (key, path) => unlessClosed(() => objects.adopt(key, path)),
    async close() {
      isClosed = true;
      await Promise.allSettled(writes);
      await spool.close();
    },
  };
}

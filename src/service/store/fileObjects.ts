import { chmod, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { RxscribeError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import type { Spool } from './ownDirectory.ts';

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

/** Named contents of any size, beside the rows: media, transcripts. */
export interface Objects {
  /** Where this process may make files that are to become objects. What is left there is removed when it is gone. */
  readonly spoolDirectory: string;
  /** Writes all of an object or nothing, and replaces it when it is there. */
  put(key: string, contents: string): Promise<void>;
  /** Makes a file of the spool an object, by moving it. */
  adopt(key: string, path: string): Promise<void>;
  /** Undefined when there is no such object. */
  get(key: string): Promise<string | undefined>;
  /** Path of a file with the contents of an object, to be read only; undefined when there is no such object. */
  pathOf(key: string): Promise<string | undefined>;
  /** The next part of the keys that begin with the prefix and a slash, each once. */
  names(prefix: string): Promise<readonly string[]>;
  /** When something began or ceased to be directly below the prefix; undefined when nothing is there. */
  changedOn(prefix: string): Promise<Date | undefined>;
  /** Deletes every object whose key begins with the prefix and a slash; harmless when there is none. */
  removeAll(prefix: string): Promise<void>;
}

export interface ClosableObjects extends Objects {
  /** From now on nothing is written; resolves when what is being written is there. */
  close(): Promise<void>;
}

/**
 * Objects whose directory can be removed when they are closed: a request that goes on when its service has stopped
 * would make it anew.
 */
export function closableObjects(objects: Objects, spool: Spool): ClosableObjects {
  const writes = new Set<Promise<void>>();
  let isClosed = false;
  const unlessClosed = async (write: () => Promise<void>): Promise<void> => {
    if (isClosed) throw new RxscribeError('store', 'write object: wanted an open store, found it closed');
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

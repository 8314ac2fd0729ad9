import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { createId } from '../../base/ids.ts';
import type { Objects } from './objects.ts';

/** Where objects are while they are written; what a killed process left there is nobody's. */
const UNFINISHED = '.unfinished';

/** Objects as files that only their owner can read. */
export async function openFileObjects(directory: string): Promise<Objects> {
  await rm(join(directory, UNFINISHED), { recursive: true, force: true });
  const disk = new Disk(new PrivateFileDriver({ location: directory, visibility: 'private' }));
  return {
    put: (key, contents) => disk.put(key, contents),
    async get(key) {
      try {
        return await disk.get(key);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    removeAll: prefix => disk.deleteAll(prefix),
  };
}

function isMissing(error: unknown): boolean {
  return ((error as Error).cause as { code?: unknown } | undefined)?.code === 'ENOENT';
}

/** Writes aside, syncs and renames: flydrive's own driver writes in place, and for all to read. */
class PrivateFileDriver extends FSDriver {
  override async put(key: string, contents: string | Uint8Array | Readable): Promise<void> {
    const root = String(this.options.location);
    const path = join(root, key);
    const unfinished = join(root, UNFINISHED, createId());
    for (const file of [path, unfinished]) await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    try {
      await writeFile(unfinished, contents, { mode: 0o600, flag: 'wx', flush: true });
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    await syncDirectory(dirname(path));
  }

  override putStream(key: string, contents: Readable): Promise<void> {
    return this.put(key, contents);
  }
}

/** Makes the new name last as well as the contents. */
async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r');
  await directory.sync();
}

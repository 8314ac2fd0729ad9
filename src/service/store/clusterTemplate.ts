import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import envPaths from 'env-paths';
import { createId } from '../../base/ids.ts';

/**
 * The files of an empty database, as one archive in the user's cache directory: to make them takes PostgreSQL four
 * seconds of one core, to unpack them half a second. They hold nothing of anybody.
 */
export interface ClusterTemplate {
  /** Undefined when there is none yet. */
  read(): Promise<Blob | undefined>;
  /** Keeps one for the next time; a cache that cannot be written is none. */
  write(archive: Blob): Promise<void>;
  /** Forgets one that is of no use. */
  remove(): Promise<void>;
}

/** @param name names the version that made it: one of another version is not read */
export function clusterTemplate(name: string, directory = templateDirectory()): ClusterTemplate {
  const path = join(directory, `${name}.tar.gz`);
  return {
    async read() {
      const bytes = await readFile(path).catch(() => undefined);
      return bytes && new Blob([bytes]);
    },
    async write(archive) {
      const unfinished = `${path}.${createId()}`;
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeFile(unfinished, archive.stream(), { mode: 0o600, flag: 'wx' });
        await rename(unfinished, path);
      } catch {
        await rm(unfinished, { force: true }).catch(() => {});
      }
    },
    remove: () => rm(path, { force: true }).catch(() => {}),
  };
}

function templateDirectory(): string {
  return join(envPaths('rxscribe', { suffix: '' }).cache, 'database');
}

import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import envPaths from 'env-paths';
import { createId } from '../../base/ids.ts';
import { openPglite, type PGlite, pgliteVersion } from './pglite.ts';

const gunzipped = promisify(gunzip);

/**
 * Returns the files of an empty database, as one archive in the user's cache directory: PostgreSQL needs four seconds of a
 * core to create them, and half a second to unpack them. They contain no user data.
 *
 * @param name identifies the version that created it; other versions do not read it
 */
export function clusterTemplate(name: string, directory = templateDirectory()) {
  const path = join(directory, `${name}.tar.gz`);
  return {
    /** Resolves with undefined when there is none, or it is damaged. */
    async read(): Promise<Blob | undefined> {
      try {
        // Unpacking verifies the checksum: the engine would end the process over a damaged archive.
        return new Blob([await gunzipped(await readFile(path))]);
      } catch {
        return undefined;
      }
    },
    /** Stores an archive for the next time; failures are ignored. */
    async write(archive: Blob): Promise<void> {
      const unfinished = `${path}.${createId()}`;
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeFile(unfinished, archive.stream(), { mode: 0o600, flag: 'wx' });
        await rename(unfinished, path);
      } catch {
        await rm(unfinished, { force: true }).catch(() => {});
      }
    },
  };
}

function templateDirectory(): string {
  return join(envPaths('rxscribe', { suffix: '' }).cache, 'database');
}

/** Opens an empty database in memory. */
export async function openMemoryPglite(): Promise<PGlite> {
  const template = clusterTemplate(`pglite-${pgliteVersion()}`);
  const loadDataDir = await template.read();
  if (loadDataDir) return openPglite(undefined, loadDataDir);
  const pglite = await openPglite();
  await template.write(await pglite.dumpDataDir('gzip'));
  return pglite;
}

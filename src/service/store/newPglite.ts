import { mkdir, rm } from 'node:fs/promises';
import { clusterTemplate } from './clusterTemplate.ts';
import { openPglite, type PGlite, pgliteVersion } from './pglite.ts';

/** A new, empty database: in a directory that is empty, too, or in memory. */
export async function openNewPglite(directory?: string): Promise<PGlite> {
  const template = clusterTemplate(`pglite-${pgliteVersion()}`);
  const loadDataDir = await template.read();
  if (loadDataDir) {
    try {
      return await openPglite(directory, { loadDataDir });
    } catch {
      // Cut or changed: a new one is made.
      await template.remove();
      if (directory !== undefined) await empty(directory);
    }
  }
  const pglite = await openPglite(directory);
  await template.write(await pglite.dumpDataDir('gzip'));
  return pglite;
}

async function empty(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { mode: 0o700 });
}

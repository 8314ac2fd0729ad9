import { clusterTemplate } from './clusterTemplate.ts';
import { openPglite, type PGlite, pgliteVersion } from './pglite.ts';

/** An empty database in memory. */
export async function openMemoryPglite(): Promise<PGlite> {
  const template = clusterTemplate(`pglite-${pgliteVersion()}`);
  const loadDataDir = await template.read();
  if (loadDataDir) return openPglite(undefined, { loadDataDir });
  const pglite = await openPglite();
  await template.write(await pglite.dumpDataDir('gzip'));
  return pglite;
}

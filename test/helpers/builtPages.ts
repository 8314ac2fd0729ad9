import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../..', import.meta.url).pathname;

/** Builds the pages when any source is newer: before all tests, as tests share the files. */
export async function setup(): Promise<void> {
  if (isBuilt()) return;
  const { build } = await import('vite');
  await build({ configFile: join(ROOT, 'src/pages/vite.config.ts'), logLevel: 'warn' });
}

function isBuilt(): boolean {
  const built = statSync(join(ROOT, 'dist/pages/captions.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  return sources.every(path => statSync(join(ROOT, 'src', path)).mtimeMs < built);
}

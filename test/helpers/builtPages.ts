import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../..', import.meta.url).pathname;

/** Folders whose files go into the pages. */
const SOURCES = [
  'src/pages',
  'src/captions/outputs/page',
  'src/captions/control',
  'src/base',
  'src/protocol',
  'src/transcript',
];

/** Builds the pages when they are older than their sources: before all tests, as tests share the files. */
export async function setup(): Promise<void> {
  if (isBuilt()) return;
  const { build } = await import('vite');
  await build({ configFile: join(ROOT, 'src/pages/vite.config.ts'), logLevel: 'warn' });
}

function isBuilt(): boolean {
  const built = statSync(join(ROOT, 'dist/pages/captions.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = SOURCES.flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(path =>
      join(ROOT, folder, path),
    ),
  );
  return sources.every(path => statSync(path).mtimeMs < built);
}

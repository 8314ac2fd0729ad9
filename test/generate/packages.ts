/**
 * Writes the archives of the two packages, `rxscribe` and `@rxscribe/server`, to a directory:
 *
 *     npm run packages -- DIRECTORY
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writePackages } from './packages/writePackages.ts';

const out = resolve(process.argv[2] ?? 'dist/packages');
const work = mkdtempSync(join(tmpdir(), 'rxscribe-packages-'));
try {
  for (const project of ['.', 'src/browser', 'src/replay/report/html/browser']) {
    execFileSync('tsc', ['-p', project, '--outDir', join(work, 'built')], { stdio: 'inherit' });
  }
  const directories = await writePackages(join(work, 'built'), work);
  const pages = ['build', '--config', 'src/pages/vite.config.ts', '--logLevel', 'warn'];
  execFileSync('vite', [...pages, '--outDir', join(work, 'pages')], { stdio: 'inherit' });
  for (const [directory, names] of [
    [directories.rxscribe, ['captions', 'operator']],
    [directories['@rxscribe/server'], ['desk', 'front']],
  ] as const) {
    for (const path of filesOfPages(join(work, 'pages'), names)) {
      cpSync(join(work, 'pages', path), join(directory, 'dist/pages', path));
    }
  }
  mkdirSync(out, { recursive: true });
  for (const directory of Object.values(directories)) {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', out], {
      cwd: directory,
      stdio: 'inherit',
    });
  }
} finally {
  rmSync(work, { recursive: true });
}

/** Returns the documents of pages, with the scripts and styles that they name, and those that these name. */
function filesOfPages(directory: string, names: readonly string[]): ReadonlySet<string> {
  const assets = readdirSync(join(directory, 'assets'));
  const found = new Set(names.map(name => `${name}.html`));
  // Grows while it is read.
  for (const path of found) {
    const text = readFileSync(join(directory, path), 'utf8');
    for (const asset of assets) if (text.includes(asset)) found.add(`assets/${asset}`);
  }
  return found;
}

/**
 * Writes the archives of the two packages, `rxscribe` and `@rxscribe/server`, to a directory:
 *
 *     npm run packages -- DIRECTORY
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
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
  // The page of the desk belongs to the service; scripts that the pages share are in both.
  for (const [directory, others] of [
    [directories.rxscribe, /\/desk[-.]/],
    [directories['@rxscribe/server'], /\/(captions|operator)[-.]/],
  ] as const) {
    const filter = (path: string) => !others.test(path);
    cpSync(join(work, 'pages'), join(directory, 'dist/pages'), { recursive: true, filter });
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

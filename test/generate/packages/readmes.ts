import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { PackageName, RootManifest } from './manifest.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;

/** Documents of each package, by their paths in the checkout; the first one is its front page. */
const DOCUMENTS: Readonly<Record<PackageName, readonly string[]>> = {
  rxscribe: [
    'test/generate/packages/rxscribe/README.md',
    ...['captions', 'client', 'replay', 'service', 'engines'].map(room => `src/${room}/README.md`),
    'samples',
  ],
  '@rxscribe/server': [
    'test/generate/packages/server/README.md',
    'src/service/README.md',
    'src/engines/README.md',
  ],
};

/** Copies the documents and samples of a package to its directory. Links lead to its own files, others to the repository. */
export function writeReadmes(name: PackageName, directory: string, { repository }: RootManifest): void {
  const [front, ...others] = DOCUMENTS[name];
  for (const path of others) {
    cpSync(join(ROOT, path), join(directory, path), {
      recursive: true,
      filter: source => !source.includes('node_modules'),
    });
  }
  const site = repository.url.replace(/^git\+|\.git$/g, '');
  const inside = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const pages = inside.filter(path => path.endsWith('README.md')).map(path => ({ from: path, to: path }));
  for (const { from, to } of [{ from: front!, to: 'README.md' }, ...pages]) {
    const text = readFileSync(join(ROOT, from), 'utf8').replace(
      /\]\((?!https?:|#)([^)#]+)/g,
      (_, link: string) => {
        const target = join(dirname(from), link);
        return `](${inside.includes(target) ? relative(dirname(to), target) : `${site}/${target}`}`;
      },
    );
    writeFileSync(join(directory, to), text);
  }
}

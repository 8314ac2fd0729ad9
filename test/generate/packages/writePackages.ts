import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { type BuiltFile, packageOf, readBuiltFiles, renamed, targetOf } from './builtFile.ts';
import { BUILT_IN, builtInFile, writeBuiltIn } from './builtIn.ts';
import { manifestOf, type PackageName, type RootManifest } from './manifest.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;

/** Dependencies whose names stand apart from their imports, so that bundlers do not follow them, or which others import. */
const HIDDEN: Readonly<Record<PackageName, readonly string[]>> = {
  rxscribe: ['prism-media', 'mpg123-decoder', 'opus-decoder', '@wasm-audio-decoders/ogg-vorbis'],
  // Of the S3 driver of flydrive.
  '@rxscribe/server': ['@aws-sdk/s3-request-presigner'],
};

/** The entries of each package, whose declarations are public. */
const ENTRIES: Readonly<Record<PackageName, readonly string[]>> = {
  rxscribe: ['index', 'captions', 'recovery', 'replay', 'vitest'],
  '@rxscribe/server': ['server'],
};

/** Returns the package that has a file: the service, its engines, and what of the commands needs them. */
function ownerOf(path: string): PackageName {
  return /^(service|engines|cli\/local)\/|^server\./.test(path) ? '@rxscribe/server' : 'rxscribe';
}

/** Cuts what tsc wrote to a directory into the directories of two packages, by folders. */
export async function writePackages(
  built: string,
  out: string,
): Promise<Readonly<Record<PackageName, string>>> {
  const all = readBuiltFiles(built);
  const declared = reachableDeclarations(all);
  const files = all.filter(({ path }) => path.endsWith('.js') || declared.has(path));
  const root: RootManifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const directories = { rxscribe: join(out, 'rxscribe'), '@rxscribe/server': join(out, 'server') };
  for (const name of ['rxscribe', '@rxscribe/server'] as const) {
    const directory = directories[name];
    const own = files.filter(({ path }) => ownerOf(path) === name);
    for (const file of own)
      write(
        join(directory, 'dist', file.path),
        renamed(file, rename => newName(file, rename)),
      );
    const imported = new Set([...HIDDEN[name], ...importedBy(own, name)]);
    write(
      join(directory, 'package.json'),
      `${JSON.stringify(manifestOf(name, { root, imported }), null, 2)}\n`,
    );
    cpSync(join(ROOT, 'LICENSE'), join(directory, 'LICENSE'));
  }
  checkDependencies(root, files);
  await completeToolkit(directories.rxscribe, files);
  write(
    join(directories['@rxscribe/server'], 'README.md'),
    '# @rxscribe/server\n\nThe speech service of `rxscribe` and its engines, which its commands and `rxscribe/server` use. ' +
      'See the README of `rxscribe`.\n',
  );
  return directories;
}

/** Parts of the toolkit that tsc does not make: built-in packages, the entry that leads to the other package, samples. */
async function completeToolkit(directory: string, files: readonly BuiltFile[]): Promise<void> {
  const names = files
    .filter(({ path }) => ownerOf(path) === 'rxscribe' && path.endsWith('.js'))
    .flatMap(({ specifiers }) => specifiers.map(({ name }) => name))
    .filter(isBuiltIn);
  await writeBuiltIn([...new Set(names)], join(directory, 'dist'));
  for (const file of ['server.js', 'server.d.ts']) {
    write(join(directory, 'dist', file), "export * from '@rxscribe/server';\n");
  }
  const pages = ['captions', 'client', 'replay', 'service', 'engines'].map(room => `src/${room}/README.md`);
  for (const name of ['README.md', ...pages, 'test/bench/README.md', 'samples']) {
    cpSync(join(ROOT, name), join(directory, name), {
      recursive: true,
      filter: path => !path.includes('node_modules'),
    });
  }
}

function isBuiltIn(name: string): boolean {
  return (BUILT_IN as readonly string[]).includes(packageOf(name));
}

/** Returns the name by which a file of a package imports; undefined where it stays. */
function newName(file: BuiltFile, name: string): string | undefined {
  const owner = ownerOf(file.path);
  if (name.startsWith('.')) {
    const target = targetOf(file, name);
    if (ownerOf(target) === owner) return undefined;
    return `${ownerOf(target)}/internal/${target.replace(/\.(js|d\.ts)$/, '.js')}`;
  }
  if (owner !== 'rxscribe' || !isBuiltIn(name)) return undefined;
  const path = relative(dirname(file.path), builtInFile(name));
  return path.startsWith('.') ? path : `./${path}`;
}

/** Declarations that those of the entries name, over the border too: nobody can see the others. */
function reachableDeclarations(files: readonly BuiltFile[]): ReadonlySet<string> {
  const byPath = new Map(files.map(file => [file.path, file]));
  const found = new Set<string>();
  const waiting = Object.values(ENTRIES).flatMap(entries => entries.map(entry => `${entry}.d.ts`));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = byPath.get(path);
    if (!file || found.has(path)) continue;
    found.add(path);
    for (const { name } of file.specifiers) if (name.startsWith('.')) waiting.push(targetOf(file, name));
  }
  return found;
}

/** Returns the packages that files import, but for those that are built in. */
function importedBy(files: readonly BuiltFile[], owner: PackageName): readonly string[] {
  return files
    .flatMap(({ specifiers }) => specifiers.map(({ name }) => name))
    .filter(name => !name.startsWith('.') && !name.startsWith('node:') && !builtinModules.includes(name))
    .filter(name => owner !== 'rxscribe' || !isBuiltIn(name))
    .map(packageOf);
}

/** @throws Error for a dependency of the checkout that no package would have, or an import that is no dependency */
function checkDependencies(root: RootManifest, files: readonly BuiltFile[]): void {
  const known = new Set([
    ...Object.keys(root.dependencies),
    ...Object.keys(root.peerDependencies),
    'rxscribe',
  ]);
  const imported = new Set([...importedBy(files, '@rxscribe/server'), ...Object.values(HIDDEN).flat()]);
  const unknown = [...imported].filter(name => !known.has(name));
  if (unknown.length > 0)
    throw new Error(`Cannot cut the packages: ${unknown} are imported but no dependencies.`);
  const unused = Object.keys(root.dependencies).filter(name => !imported.has(name));
  if (unused.length > 0)
    throw new Error(`Cannot cut the packages: ${unused} are dependencies that nothing imports.`);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

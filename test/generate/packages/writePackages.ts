import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { writeBrowserFiles } from './browserFiles.ts';
import {
  type BuiltFile,
  exportedNames,
  packageOf,
  readBuiltFiles,
  rewritten,
  targetOf,
} from './builtFile.ts';
import { BUILT_IN, builtInFile, writeBuiltIn } from './builtIn.ts';
import { manifestOf, type PackageName, type RootManifest } from './manifest.ts';
import { writeReadmes } from './readmes.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;

/** Dependencies whose names stand apart from their imports, so that bundlers do not follow them, or which others import. */
const HIDDEN: Readonly<Record<PackageName, readonly string[]>> = {
  rxscribe: ['prism-media', 'mpg123-decoder', 'opus-decoder', '@wasm-audio-decoders/ogg-vorbis'],
  '@rxscribe/server': [],
};

/** The entries of each package, whose declarations are public. */
const ENTRIES: Readonly<Record<PackageName, readonly string[]>> = {
  rxscribe: ['index', 'browser/browser', 'captions', 'replay', 'vitest'],
  '@rxscribe/server': ['server'],
};

/** The module to which the exports of both packages lead bundlers of pages. */
const NEEDS_NODE = 'base/needsNode.js';

/** The module of error classes, which exists once: the service imports it by this name. */
const ERRORS = { path: /^base\/errors\.(js|d\.ts)$/, name: 'rxscribe/errors' };

/** Returns the package that has a file: the service, its engines, and what of the commands needs them. */
function ownerOf(path: string): PackageName {
  return /^(service|engines|cli\/local)\/|^server\.|^(base\/serviceNode|audio\/sampleBuffers)\./.test(path)
    ? '@rxscribe/server'
    : 'rxscribe';
}

/**
 * Cuts what tsc wrote to a directory into the directories of two packages, by folders. Modules of the toolkit that the
 * service imports are in both, so that neither package exports its internals; only error classes must be the same.
 */
export async function writePackages(
  built: string,
  out: string,
): Promise<Readonly<Record<PackageName, string>>> {
  const all = readBuiltFiles(built);
  const root: RootManifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const directories = { rxscribe: join(out, 'rxscribe'), '@rxscribe/server': join(out, 'server') };
  const packed: BuiltFile[] = [];
  for (const name of ['rxscribe', '@rxscribe/server'] as const) {
    const directory = directories[name];
    const files = filesOf(name, all);
    packed.push(...files);
    for (const file of files)
      write(
        join(directory, 'dist', file.path),
        rewritten(file, specifier => newName(name, file, specifier)),
      );
    const names = files.filter(({ path }) => path.endsWith('.js')).flatMap(importsOf);
    await writeBuiltIn([...new Set(names.filter(each => isBuiltIn(name, each)))], join(directory, 'dist'));
    const imported = new Set([...HIDDEN[name], ...packagesOf(files)].filter(each => !isBuiltIn(name, each)));
    const manifest = manifestOf(name, { root, imported });
    write(join(directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    cpSync(join(ROOT, 'LICENSE'), join(directory, 'LICENSE'));
    writeReadmes(name, directory, root);
  }
  checkDependencies(root, packed);
  await writeBrowserFiles(built, join(directories.rxscribe, 'dist'));
  const server = all.find(({ path }) => path === 'server.js')!;
  write(join(directories.rxscribe, 'dist/server.js'), serverEntry(exportedNames(server), root.version));
  write(join(directories.rxscribe, 'dist/server.d.ts'), "export * from '@rxscribe/server';\n");
  return directories;
}

/** Returns the module that leads to the other package. A missing one cannot be explained by a module that imports it. */
function serverEntry(names: readonly string[], version: string): string {
  const missing =
    "Cannot load 'rxscribe/server': the package @rxscribe/server is not installed. " +
    `Run 'npm install @rxscribe/server@${version}' where rxscribe is installed.`;
  return `import { createRequire } from 'node:module';

function load() {
  try {
    return createRequire(import.meta.url)('@rxscribe/server');
  } catch (cause) {
    if (cause.code !== 'MODULE_NOT_FOUND' || !cause.message.includes("'@rxscribe/server'")) throw cause;
    throw new Error(${JSON.stringify(missing)}, { cause });
  }
}

export const { ${names.join(', ')} } = load();
`;
}

/** Returns the modules of a package but for those of types only, with those that they import, and the declarations that its entries name. */
function filesOf(name: PackageName, all: readonly BuiltFile[]): readonly BuiltFile[] {
  const modules = all.filter(
    ({ path, text }) =>
      (ownerOf(path) === name || path === NEEDS_NODE) &&
      path.endsWith('.js') &&
      text.trim() !== 'export {};' &&
      // Written as one file.
      !path.startsWith('browser/'),
  );
  const entries = all.filter(({ path }) => ENTRIES[name].some(entry => path === `${entry}.d.ts`));
  const byPath = new Map(all.map(file => [file.path, file]));
  const found = new Set<BuiltFile>();
  const waiting = [...modules, ...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const specifier of importsOf(file)) {
      if (!specifier.startsWith('.') || newName(name, file, specifier) !== undefined) continue;
      const target = byPath.get(targetOf(file, specifier));
      if (target) waiting.push(target);
    }
  }
  return [...found];
}

function importsOf({ specifiers }: BuiltFile): readonly string[] {
  return specifiers.map(({ name }) => name);
}

function isBuiltIn(owner: PackageName, name: string): boolean {
  return BUILT_IN[owner].includes(packageOf(name));
}

/** Returns the code by which a file of a package names another module; undefined where it stays. */
function newName(owner: PackageName, file: BuiltFile, name: string): string | undefined {
  if (name.startsWith('.')) {
    const target = targetOf(file, name);
    if (owner === '@rxscribe/server') return ERRORS.path.test(target) ? `'${ERRORS.name}'` : undefined;
    if (ownerOf(target) === owner) return undefined;
    // The commands load parts of the service that it does not export, as files of the package that is installed.
    return `new URL('./dist/${target}', import.meta.resolve('@rxscribe/server/package.json')).href`;
  }
  if (!isBuiltIn(owner, name)) return undefined;
  const path = relative(dirname(file.path), builtInFile(name));
  return `'${path.startsWith('.') ? path : `./${path}`}'`;
}

/** Returns the packages that files import. */
function packagesOf(files: readonly BuiltFile[]): readonly string[] {
  return files
    .flatMap(importsOf)
    .filter(name => !name.startsWith('.') && !name.startsWith('node:') && !builtinModules.includes(name))
    .map(packageOf);
}

/** @throws Error for a dependency of the checkout that no package would have, or an import that is no dependency */
function checkDependencies(root: RootManifest, files: readonly BuiltFile[]): void {
  const known = new Set([
    ...Object.keys(root.dependencies),
    ...Object.keys(root.peerDependencies),
    'rxscribe',
  ]);
  const imported = new Set([...packagesOf(files), ...Object.values(HIDDEN).flat()]);
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

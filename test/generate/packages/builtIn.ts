import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RolldownOutput, rolldown } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import type { PackageName } from './manifest.ts';

/**
 * Packages that are built into a package instead of installed beside it, with what they import: typebox and yaml for their
 * 1,650 files, obs-websocket-js and obscenity because they and what they depend on take 4 MB, of which 120 KB are used, ws
 * and proxy-addr because they are CommonJS, which esbuild cannot put into an ES module that runs.
 */
export const BUILT_IN: Readonly<Record<PackageName, readonly string[]>> = {
  rxscribe: ['dequal', 'typebox', 'yaml', 'ws', 'obs-websocket-js', 'obscenity', '@fastify/proxy-addr'],
  '@rxscribe/server': ['obscenity'],
};

const TYPEBOX = 'modules-of-typebox';

/** Names that are used of the modules of typebox. */
const TYPEBOX_NAMES: Readonly<Record<string, string>> = {
  typebox: '*',
  'typebox/compile': '{ Compile }',
  'typebox/value': '{ Pointer, Value }',
};

const MODULES = new URL('../../../node_modules/', import.meta.url).pathname;
const NODE_MODULES = [
  'buffer',
  'crypto',
  'events',
  'fs',
  'http',
  'https',
  'net',
  'process',
  'querystring',
  'stream',
];

/** Optional uses of `require`, by the ends of their files: what is left of it needs `import.meta.url`, which bundles lack. */
const REQUIRES: Readonly<Record<string, readonly [text: string, instead: string]>> = {
  'debug/src/node.js': ["require('supports-color')", 'undefined'],
  'crypto-js/core.js': ["typeof require === 'function'", 'false'],
};

const withoutRequire = {
  name: 'without-require',
  transform(code: string, id: string): string | undefined {
    const [, change] = Object.entries(REQUIRES).find(([end]) => id.endsWith(end)) ?? [];
    return change && code.replace(...change);
  },
};

/** Returns the name of the file that a module of such a package becomes; those of typebox are one. */
function fileName(name: string): string {
  return name.startsWith('typebox/') ? 'typebox' : name.replaceAll('/', '-');
}

/** Returns the file that a module of such a package becomes, such as `vendor/typebox.js`. */
export function builtInFile(name: string): string {
  return `vendor/${fileName(name)}.js`;
}

/** Returns a plugin for a module that is no file. */
export function virtualModule(name: string, code: string) {
  return {
    name,
    resolveId: (id: string) => (id === name ? id : undefined),
    load: (id: string) => (id === name ? code : undefined),
  };
}

/** Returns a plugin that makes a module of the modules of typebox. */
function oneTypebox(names: readonly string[]) {
  const modules = names.filter(name => name.startsWith('typebox'));
  return virtualModule(
    TYPEBOX,
    modules.map(name => `export ${TYPEBOX_NAMES[name]} from '${name}';`).join('\n'),
  );
}

/** Writes modules of such packages, with declarations for those that declarations name, and their licences. */
export async function writeBuiltIn(names: readonly string[], directory: string): Promise<void> {
  const nodeModules = [...NODE_MODULES, 'tls', 'tty', 'url', 'util', 'zlib'];
  const bundle = await rolldown({
    input: Object.fromEntries(
      names.map(name => [fileName(name), name.startsWith('typebox') ? TYPEBOX : name]),
    ),
    cwd: MODULES,
    platform: 'node',
    // Its modules with named exports.
    resolve: { alias: { yaml: join(MODULES, 'yaml/browser/index.js') } },
    transform: {
      // What ws can use and works without: looking for them needs a `require` that bundles lack.
      define: { 'process.env.WS_NO_BUFFER_UTIL': '"1"', 'process.env.WS_NO_UTF_8_VALIDATE': '"1"' },
    },
    plugins: [oneTypebox(names), withoutRequire, esmExternalRequirePlugin({ external: nodeModules })],
  });
  const written = await bundle.write({
    dir: join(directory, 'vendor'),
    format: 'esm',
    chunkFileNames: 'shared-[name].js',
    // Names stay, for stack traces.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
  const requiring = written.output.filter(
    part => part.type === 'chunk' && /\bcreateRequire\b/.test(part.code),
  );
  if (requiring.length > 0)
    throw new Error(`Cannot build in a 'require': ${requiring.map(part => part.fileName)}.`);
  if (names.some(name => name.startsWith('typebox'))) {
    copyFileSync(new URL('typebox.d.ts', import.meta.url), join(directory, 'vendor', 'typebox.d.ts'));
  }
  addLicences(written, directory);
}

/** Adds the licences of the packages whose modules were written, each once. */
export function addLicences(written: RolldownOutput, directory: string): void {
  const file = join(directory, 'vendor', 'LICENSES.txt');
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const licences = packagesOf(written)
    .map(licenceOf)
    .filter(licence => !before.includes(licence));
  writeFileSync(file, [...(before ? [before] : []), ...licences].join(`\n${'-'.repeat(72)}\n\n`));
}

/** Returns the directories of the packages whose modules were written, sorted. */
function packagesOf({ output }: RolldownOutput): readonly string[] {
  const modules = output.flatMap(part => (part.type === 'chunk' ? part.moduleIds : []));
  const roots = modules.flatMap(id => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  return [...new Set(roots)].sort();
}

function licenceOf(root: string): string {
  const file = readdirSync(root).find(found => /^licen[cs]e/i.test(found));
  if (file === undefined) throw new Error(`Cannot build in '${root}': it has no licence.`);
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return `${name} ${version}\n\n${readFileSync(join(root, file), 'utf8').trim()}\n`;
}

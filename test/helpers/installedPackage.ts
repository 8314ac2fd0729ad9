import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PackageName } from '../generate/packages/manifest.ts';

export const ROOT = new URL('../..', import.meta.url).pathname;
const MODULES = join(ROOT, 'node_modules');

/** Compiler options of a strict application, which also checks the types of what it has installed. */
export const STRICT_OPTIONS = {
  target: 'es2024',
  lib: ['es2024', 'esnext.disposable'],
  module: 'nodenext',
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  types: ['node'],
};

/** A project that has the packages installed. */
export interface InstalledPackage extends AsyncDisposable {
  readonly directory: string;
  /** Runs a program of the checkout's or the project's `node_modules/.bin`, the Node that runs this, or a path. */
  run(program: string, args: readonly string[]): Promise<ProgramResult>;
}

export interface ProgramResult {
  readonly code: number;
  /** Text of both outputs. */
  readonly output: string;
}

export interface InstallOptions {
  /** A directory with the project. Default: none. */
  readonly project?: string;
  /** Packages that are not installed. */
  readonly without?: readonly string[];
}

/** A package as it is packed. */
export interface BuiltPackage {
  readonly archive: string;
  /** Directory of the unpacked archive. */
  readonly directory: string;
}

type BuiltPackages = Readonly<Record<PackageName, BuiltPackage>>;

/** Built once per process: the build takes longest. */
let built: Promise<BuiltPackages> | undefined;

/** Resolves with both packages, made as the README says. */
export function builtPackages(): Promise<BuiltPackages> {
  built ??= buildPackages();
  return built;
}

async function buildPackages(): Promise<BuiltPackages> {
  const out = await mkdtemp(join(tmpdir(), 'rxscribe-built-'));
  process.on('exit', () => rmSync(out, { recursive: true, force: true }));
  const { code, output } = await run(ROOT, 'npm', ['run', '--silent', 'packages', '--', out]);
  if (code !== 0) throw new Error(`the packages cannot be made: ${output}`);
  const unpack = async (name: RegExp): Promise<BuiltPackage> => {
    const file = (await readdir(out)).find(found => name.test(found))!;
    const directory = join(out, `${file}-unpacked`);
    await mkdir(directory);
    await run(out, 'tar', ['-xzf', file, '-C', directory, '--strip-components=1']);
    return { archive: join(out, file), directory };
  };
  return {
    rxscribe: await unpack(/^rxscribe-\d.*\.tgz$/),
    '@rxscribe/server': await unpack(/^rxscribe-server-.*\.tgz$/),
  };
}

/** Makes a project with both packages beside links to all that the checkout has. */
export async function installPackage({
  project,
  without = [],
}: InstallOptions = {}): Promise<InstalledPackage> {
  const directory = await mkdtemp(join(tmpdir(), 'rxscribe-installed-'));
  if (project) await cp(project, directory, { recursive: true });
  await mkdir(join(directory, 'node_modules'));
  for (const name of await readdir(MODULES)) {
    if (without.includes(name) || name.startsWith('.')) continue;
    await symlink(join(MODULES, name), join(directory, 'node_modules', name));
  }
  for (const [name, own] of Object.entries(await builtPackages())) {
    await cp(own.directory, join(directory, 'node_modules', name), { recursive: true });
  }
  return installed(directory);
}

/** Lets npm install packages, with others from the registry, into a project with nothing else. */
export async function npmInstall(
  packages: readonly PackageName[],
  others: readonly string[] = [],
): Promise<InstalledPackage> {
  const directory = await mkdtemp(join(tmpdir(), 'rxscribe-installed-'));
  await writeFile(join(directory, 'package.json'), '{ "type": "module", "private": true }');
  const all = await builtPackages();
  const archives = packages.map(name => all[name].archive);
  const quick = ['--no-audit', '--no-fund', '--ignore-scripts'];
  const { code, output } = await run(directory, 'npm', ['install', ...quick, ...archives, ...others]);
  if (code !== 0) throw new Error(`install ${packages}: ${output}`);
  return installed(directory);
}

function installed(directory: string): InstalledPackage {
  return {
    directory,
    run: (program, args) => run(directory, program, args),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

function run(cwd: string, program: string, args: readonly string[]): Promise<ProgramResult> {
  // A run of vitest inside of one is not part of it, and has the settings of nobody.
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !/^(RXSCRIBE_(?!MODELS)|VITEST|NODE_OPTIONS|NODE_ENV|FORCE_COLOR|TEST$|MODE$|DEV$|PROD$)/.test(name),
  );
  const path = [join(cwd, 'node_modules/.bin'), join(MODULES, '.bin'), process.env.PATH].join(':');
  const env = { ...Object.fromEntries(inherited), PATH: path, NO_COLOR: '1' };
  const file = program === 'node' ? process.execPath : program;
  return new Promise(resolve => {
    execFile(file, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}

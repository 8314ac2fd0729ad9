import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = new URL('../../..', import.meta.url).pathname;
const MODULES = join(ROOT, 'node_modules');

/** A project that has the package as npm would install it: built from the checkout, beside what it depends on. */
export interface InstalledPackage extends AsyncDisposable {
  readonly directory: string;
  /** Runs a program of `node_modules/.bin`, or the Node that runs this. */
  run(program: string, args: readonly string[]): Promise<ProgramResult>;
}

export interface ProgramResult {
  readonly code: number;
  /** Of both outputs. */
  readonly output: string;
}

export interface InstallOptions {
  /** A directory with the project. Default: none. */
  readonly project?: string;
  /** Packages that are not installed. */
  readonly without?: readonly string[];
}

/** Once for a process: it takes longer than all the rest. */
let built: Promise<string> | undefined;

async function buildPackage(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'rxscribe-built-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  const { code, output } = await run(ROOT, 'tsc', ['--outDir', directory]);
  if (code !== 0) throw new Error(`the package cannot be built: ${output}`);
  return directory;
}

export async function installPackage({
  project,
  without = [],
}: InstallOptions = {}): Promise<InstalledPackage> {
  const directory = await mkdtemp(join(tmpdir(), 'rxscribe-installed-'));
  if (project) await cp(project, directory, { recursive: true });
  const own = join(directory, 'node_modules', 'rxscribe');
  await mkdir(own, { recursive: true });
  for (const name of await readdir(MODULES)) {
    if (without.includes(name) || name.startsWith('.')) continue;
    await symlink(join(MODULES, name), join(directory, 'node_modules', name));
  }
  await copyFile(join(ROOT, 'package.json'), join(own, 'package.json'));
  built ??= buildPackage();
  await cp(await built, join(own, 'dist'), { recursive: true });
  return {
    directory,
    run: (program, args) => run(directory, program, args),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

function run(cwd: string, program: string, args: readonly string[]): Promise<ProgramResult> {
  const path = program === 'node' ? process.execPath : join(MODULES, '.bin', program);
  // A run of vitest inside of one is not part of it, and has the settings of nobody.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(RXSCRIBE_|VITEST|NODE_OPTIONS|NODE_ENV|FORCE_COLOR|TEST$|MODE$|DEV$|PROD$)/.test(name),
  );
  const env = { ...Object.fromEntries(inherited), NO_COLOR: '1' };
  return new Promise(resolve => {
    execFile(path, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}

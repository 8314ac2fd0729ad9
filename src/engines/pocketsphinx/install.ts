import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import type { PocketSphinxFiles } from './files.ts';
import { locatePocketSphinx, POCKETSPHINX_CACHE_DIRECTORY, POCKETSPHINX_INSTALL_COMMAND } from './locate.ts';

const run = promisify(execFile);

export interface InstallOptions {
  /** Default {@link POCKETSPHINX_CACHE_DIRECTORY}. */
  readonly cacheDirectory?: string;
  /** Told of each step, in words for people. */
  readonly onProgress?: (step: string) => void;
  readonly signal?: AbortSignal;
}

/** 28 MB; libquadmath exists where the compiler has 128-bit numbers only. */
const PACKAGES = [
  ...['libpocketsphinx3', 'libsphinxbase3', 'pocketsphinx-en-us', 'libblas3', 'liblapack3', 'libgfortran5'],
  ...(process.arch === 'x64' ? ['libquadmath0'] : []),
];

/** Package lists of our own, where the system has none; removed in the end. */
const APT_STATE = 'apt';

/**
 * Fetches PocketSphinx and its model from the system's package archive into a cache directory, without root.
 *
 * Does nothing when they are there already. What is half done is not seen by others.
 *
 * @throws RxscribeError `program-missing` without apt-get and dpkg, `engine-missing` when the packages cannot be had;
 *   both name the command that mends it
 */
export async function installPocketSphinx(options: InstallOptions = {}): Promise<PocketSphinxFiles> {
  const { cacheDirectory = POCKETSPHINX_CACHE_DIRECTORY, onProgress = () => {}, signal } = options;
  const locate = () => locatePocketSphinx({ roots: [cacheDirectory] });
  const present = await locate().catch(() => undefined);
  if (present) return present;
  await mkdir(dirname(cacheDirectory), { recursive: true });
  const staging = await mkdtemp(`${cacheDirectory}-`);
  try {
    await download(staging, onProgress, signal);
    await unpack(staging, onProgress, signal);
    await locatePocketSphinx({ roots: [staging] });
    await rename(staging, cacheDirectory).catch(async () => {
      // Somebody was quicker, or what is there is broken.
      if (await locate().catch(() => undefined)) return;
      await rm(cacheDirectory, { recursive: true, force: true });
      await rename(staging, cacheDirectory);
    });
    return await locate();
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function download(
  directory: string,
  onProgress: (step: string) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  onProgress(`downloading ${PACKAGES.length} packages (28 MB)`);
  try {
    await apt(directory, ['download', ...PACKAGES], signal);
  } catch (error) {
    if (error instanceof RxscribeError || signal?.aborted) throw error;
    // Most often the machine has no package lists, and they too can be fetched without root.
    onProgress('reading the package lists');
    await mkdir(join(directory, APT_STATE, 'lists/partial'), { recursive: true });
    await mkdir(join(directory, APT_STATE, 'cache/archives/partial'), { recursive: true });
    const lists = ['-o', `Dir::State::lists=${join(directory, APT_STATE, 'lists')}`];
    const cache = ['-o', `Dir::Cache=${join(directory, APT_STATE, 'cache')}`];
    try {
      await apt(directory, ['update', ...lists, ...cache], signal);
      await apt(directory, ['download', ...lists, ...cache, ...PACKAGES], signal);
    } catch (cause) {
      signal?.throwIfAborted();
      throw new RxscribeError(
        'engine-missing',
        `fetch PocketSphinx: apt-get found no packages (${lastLine(cause)}). With a network, run as root: apt-get update && ${POCKETSPHINX_INSTALL_COMMAND}`,
        { cause },
      );
    }
  }
}

async function unpack(
  directory: string,
  onProgress: (step: string) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const archives = (await readdir(directory)).filter(name => name.endsWith('.deb'));
  for (const archive of archives) {
    onProgress(`unpacking ${archive.split('_', 1)[0]}`);
    await runProgram('dpkg', ['-x', archive, directory], directory, signal);
    await rm(join(directory, archive));
  }
  await rm(join(directory, APT_STATE), { recursive: true, force: true });
}

function apt(directory: string, args: readonly string[], signal: AbortSignal | undefined): Promise<void> {
  // Our directory is closed to apt's own user; the timeout is for each connection.
  const options = ['-q', '-o', 'APT::Sandbox::User=root', '-o', 'Acquire::http::Timeout=20'];
  return runProgram('apt-get', [...options, ...args], directory, signal);
}

async function runProgram(
  name: string,
  args: readonly string[],
  directory: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await run(name, args, { cwd: directory, env: { ...process.env, LC_ALL: 'C' }, signal });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new RxscribeError(
      'program-missing',
      `fetch PocketSphinx: wanted ${name}, found none. On Debian run as root: ${POCKETSPHINX_INSTALL_COMMAND}`,
      { cause },
    );
  }
}

function lastLine(failure: unknown): string {
  const stderr = (failure as { stderr?: string }).stderr ?? messageOf(failure);
  return stderr.trim().split('\n').at(-1) ?? '';
}

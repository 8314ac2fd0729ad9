import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import envPaths from 'env-paths';
import type { CatalogueFile, CatalogueModel } from './catalogue.ts';
import { fileDigest } from './fileDigest.ts';

/** How much of a model is there: `partial` when files are missing. */
export type ModelState = 'installed' | 'partial' | 'absent';

/** What is wrong with a file of a model. */
export interface FileFault {
  readonly file: CatalogueFile;
  readonly fault: 'missing' | 'corrupt';
}

/** Where models are kept unless another directory is given; each has a directory of its name in it. */
export const MODELS_DIRECTORY = join(envPaths('rxscribe', { suffix: '' }).cache, 'models');

/** Whether the files of a model are there in their lengths; they got their names when their checksums were right. */
export async function modelState(model: CatalogueModel, modelsDirectory: string): Promise<ModelState> {
  const directory = join(modelsDirectory, model.name);
  const there = await Promise.all(model.files.map(file => hasLength(file, directory)));
  if (there.every(Boolean)) return 'installed';
  const begun = await stat(directory).catch(() => undefined);
  return begun ? 'partial' : 'absent';
}

/**
 * Reads all files of a model and compares their checksums.
 *
 * @throws the signal's reason
 */
export async function findFaults(
  model: CatalogueModel,
  modelsDirectory: string,
  signal?: AbortSignal,
): Promise<readonly FileFault[]> {
  const directory = join(modelsDirectory, model.name);
  const faults: FileFault[] = [];
  for (const file of model.files) {
    const fault = await faultOf(file, directory, signal);
    if (fault) faults.push({ file, fault });
  }
  return faults;
}

async function faultOf(
  file: CatalogueFile,
  directory: string,
  signal: AbortSignal | undefined,
): Promise<FileFault['fault'] | undefined> {
  const path = join(directory, file.name);
  const exists = await stat(path).then(
    stats => stats.isFile(),
    () => false,
  );
  if (!exists) return 'missing';
  const isWhole = (await hasLength(file, directory)) && (await fileDigest(path, signal)) === file.sha256;
  return isWhole ? undefined : 'corrupt';
}

async function hasLength({ name, bytes }: CatalogueFile, directory: string): Promise<boolean> {
  return stat(join(directory, name)).then(
    stats => stats.isFile() && stats.size === bytes,
    () => false,
  );
}

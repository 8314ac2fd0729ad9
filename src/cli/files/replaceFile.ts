import { chmod, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** Reasons for which a file can be written where no other can be put beside it. */
const ONLY_IN_PLACE = new Set(['EACCES', 'EPERM', 'ENAMETOOLONG']);

/**
 * Puts a text in the place of what a file has, at once: whoever reads it, also after this process was killed, finds all
 * of the one or all of the other. A link stays one, and a file keeps its mode. What is no file, such as a named pipe, is
 * written to.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const before = await statOf(path);
  if (before && !before.isFile()) return writeFile(path, text);
  const target = await fileNamed(path);
  // Always the same name: what a killed process left goes with the next.
  const draft = join(dirname(target), `.${basename(target)}.part`);
  try {
    await rm(draft, { force: true });
    // Never a link that somebody put there, and never open to more readers than the file itself.
    await writeFile(draft, text, { flag: 'wx', mode: before && before.mode & 0o777 });
    if (before) await chmod(draft, before.mode);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    if (!ONLY_IN_PLACE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await writeFile(target, text);
  }
}

/** Returns the path of the file behind all links, also where it is not there yet. */
export async function fileNamed(path: string): Promise<string> {
  if (await statOf(path)) return realpath(path);
  const link = await readlink(path).catch(() => undefined);
  const directory = await realpath(dirname(path));
  return link === undefined ? join(directory, basename(path)) : fileNamed(resolve(directory, link));
}

/** Undefined where nothing is there. */
async function statOf(path: string) {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

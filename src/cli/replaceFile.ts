import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Reasons for which a file can be written where no other can be put beside it. */
const ONLY_IN_PLACE = new Set(['EACCES', 'EPERM', 'ENAMETOOLONG']);

/**
 * Puts a text in the place of what a file has, at once: whoever reads it, also after this process was killed, finds all
 * of the one or all of the other. A link stays one, and a file keeps its mode. What is no file, such as a named pipe, is
 * written to.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const before = await stat(target).catch(() => undefined);
  if (before && !before.isFile()) return writeFile(target, text);
  // Always the same name: what a killed process left is overwritten by the next.
  const draft = join(dirname(target), `.${basename(target)}.part`);
  try {
    await writeFile(draft, text);
    if (before) await chmod(draft, before.mode);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    if (!before || !ONLY_IN_PLACE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await writeFile(target, text);
  }
}

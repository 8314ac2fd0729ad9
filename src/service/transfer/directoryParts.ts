import { mkdir, open, readdir, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';
import { makeDirectory } from '../store/prepareDirectory.ts';
import { readChecksums, refusingTwice } from './checksums.ts';
import { CHECKSUMS_PATH, damaged, incomplete, MANIFEST_PATH, type Part } from './parts.ts';

/**
 * Writes parts as files that only their owner can read.
 *
 * @throws InvalidArgumentError when the directory is not empty
 * @throws RxscribeError `unreadable-input` when it cannot be written
 */
export async function writeDirectory(parts: AsyncIterable<Part>, directory: string): Promise<void> {
  await onDisk(`write '${directory}'`, async () => {
    makeDirectory(directory);
    if ((await readdir(directory)).length > 0) {
      throw new InvalidArgumentError(`Directory '${directory}' is not empty. Name a new one.`);
    }
  });
  for await (const { path, contents } of parts) {
    const target = join(directory, path);
    // Renamed only when it is whole: this file marks an export as complete.
    const draft = path === CHECKSUMS_PATH ? `${target}.part` : target;
    await onDisk(`write '${directory}'`, async () => {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await writeFile(draft, contents, { mode: 0o600, flag: 'wx', flush: true });
      if (draft === target) return;
      await rename(draft, target);
      await using handle = await open(directory);
      await handle.sync();
    });
  }
}

/**
 * Yields the parts in a directory, in the order of their checksums.
 *
 * @throws RxscribeError `unreadable-input` when the directory cannot be read, or has no complete export
 */
export async function* readDirectory(directory: string): AsyncGenerator<Part> {
  const root = await onDisk(`read '${directory}'`, () => realpath(directory));
  const checksums = await fileAt(root, CHECKSUMS_PATH);
  if (!checksums) {
    const isExport = (await fileAt(root, MANIFEST_PATH)) !== undefined;
    throw isExport ? incomplete() : damaged(`'${directory}' has no '${MANIFEST_PATH}'`);
  }
  let count = 0;
  const refuseTwice = refusingTwice();
  // All names are read first, so that an import refuses unknown files before it stores anything.
  for await (const { path } of readChecksums(checksums.contents())) {
    refuseTwice(path);
    count++;
  }
  let index = 0;
  for await (const { path, sha256 } of readChecksums(checksums.contents())) {
    const file = await fileAt(root, path);
    if (!file) throw damaged(`'${path}' is missing`);
    yield { path, bytes: file.bytes, contents: file.contents(), sha256, fraction: index++ / count };
  }
  yield { path: CHECKSUMS_PATH, bytes: checksums.bytes, contents: checksums.contents(), fraction: 1 };
}

/** Returns undefined for a file that does not exist. */
async function fileAt(root: string, path: string) {
  return onDisk(`read '${path}'`, async () => {
    const file = join(root, path);
    const found = await realpath(file).catch(() => undefined);
    if (found === undefined) return undefined;
    const stats = await stat(file);
    // A link could lead to any file that this user can read.
    if (found !== file || !stats.isFile()) throw damaged(`'${path}' is no regular file`);
    return {
      bytes: stats.size,
      async *contents(): AsyncGenerator<Uint8Array> {
        await using handle = await onDisk(`read '${path}'`, () => open(file));
        for await (const chunk of handle.createReadStream({ autoClose: false })) yield chunk;
      },
    };
  });
}

/** @throws RxscribeError `unreadable-input` for an error of the file system */
async function onDisk<T>(action: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (cause) {
    if (cause instanceof RxscribeError || !(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new RxscribeError('unreadable-input', `Cannot ${action}: ${fileReason(cause)}.`, { cause });
  }
}

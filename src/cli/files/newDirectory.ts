import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';

/** A directory that is filled with files; they are removed when it is disposed of before it is complete. */
export interface NewDirectory extends AsyncDisposable {
  /** Writes a file that only its owner can read. It gets its name when it is complete. */
  write(name: string, contents: (append: Append) => Promise<unknown>): Promise<void>;
  complete(): void;
}

/** Appends to a file, and resolves with the number of its bytes. */
export type Append = (data: Uint8Array | string) => Promise<number>;

/**
 * Creates a directory, or takes an empty one.
 *
 * @throws InvalidArgumentError when it has files; RxscribeError `unreadable-input` when it cannot be written
 */
export async function newDirectory(directory: string): Promise<NewDirectory> {
  const written: string[] = [];
  let isComplete = false;
  const onDisk = <Result>(work: () => Promise<Result>) =>
    work().catch(cause => {
      if (cause instanceof RxscribeError || !('syscall' in cause)) throw cause;
      const message = `Cannot write '${directory}': ${fileReason(cause)}.`;
      throw new RxscribeError('unreadable-input', message, { cause });
    });
  const isNew = await onDisk(async () => {
    const created = await mkdir(directory, { recursive: true, mode: 0o700 });
    if ((await readdir(directory)).length === 0) return created !== undefined;
    throw new InvalidArgumentError(`Directory '${directory}' is not empty. Name a new one.`);
  });
  return {
    write: (name, contents) =>
      onDisk(async () => {
        const path = join(directory, name);
        const draft = join(directory, `.${name}.part`);
        written.push(path, draft);
        {
          await using file = await open(draft, 'wx', 0o600);
          let bytes = 0;
          await contents(async data => {
            const chunk = Buffer.from(data);
            await file.writeFile(chunk);
            bytes += chunk.length;
            return bytes;
          });
          await file.sync();
        }
        await rename(draft, path);
      }),
    complete() {
      isComplete = true;
    },
    async [Symbol.asyncDispose]() {
      if (isComplete) return;
      for (const path of written) await rm(path, { force: true }).catch(() => {});
      if (isNew) await rmdir(directory).catch(() => {});
    },
  };
}

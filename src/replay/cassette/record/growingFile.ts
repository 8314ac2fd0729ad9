import { closeSync, openSync, writeSync } from 'node:fs';
import { RxscribeError, reasonOf } from '../../../base/errors.ts';

/** Mode of the file, which is private because it may contain speech of anybody. */
const OWNER_ONLY = 0o600;

/**
 * A file that a recording appends to. Writes are synchronous, so that their data survives the death of the process and
 * nothing accumulates in memory. Errors, such as a full disk, are RxscribeError `store`.
 */
export class GrowingFile {
  readonly path: string;
  readonly #fd: number;
  #isOpen = true;
  #bytes = 0;

  /**
   * Makes the file, which must not exist, for its owner alone.
   *
   * @param path path in error messages: the final place of the file
   */
  constructor(at: string, path = at) {
    this.path = path;
    this.#fd = stored(path, () => openSync(at, 'wx', OWNER_ONLY));
  }

  append(data: string | Uint8Array): void {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    this.#write(bytes, this.#bytes);
    this.#bytes += bytes.length;
  }

  /** Overwrites the beginning. */
  replaceStart(bytes: Uint8Array): void {
    this.#write(bytes, 0);
  }

  /** Idempotent. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    stored(this.path, () => closeSync(this.#fd));
  }

  #write(bytes: Uint8Array, position: number): void {
    stored(this.path, () => {
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(this.#fd, bytes, at, bytes.length - at, position + at);
      }
    });
  }
}

/** Does something with a file. @throws RxscribeError `store` with its path */
export function stored<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    const advice = exists ? ' Choose another name, or overwrite it.' : '';
    throw new RxscribeError('store', `Cannot record to '${path}': ${reasonOf(cause)}.${advice}`, { cause });
  }
}

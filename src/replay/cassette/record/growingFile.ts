import { closeSync, openSync, writeSync } from 'node:fs';
import { messageOf, RxscribeError } from '../../../base/errors.ts';

/** As audio that waits to be sent: it may be anybody's words. */
const OWNER_ONLY = 0o600;

/**
 * A file that a recording writes as it goes on: synchronously, so that what is written is there when the process dies,
 * and nothing waits in memory. Errors are RxscribeError `store`, as on a full disk.
 */
export class GrowingFile implements Disposable {
  readonly path: string;
  readonly #fd: number;
  #isOpen = true;
  #bytes = 0;

  /** Makes the file, which must not be there, for its owner alone. `path`: of errors, where it is to be in the end. */
  constructor(at: string, path = at) {
    this.path = path;
    this.#fd = this.#guard(() => openSync(at, 'wx', OWNER_ONLY));
  }

  append(data: string | Uint8Array): void {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    this.#write(bytes, this.#bytes);
    this.#bytes += bytes.length;
  }

  /** Writes the beginning anew. */
  replaceStart(bytes: Uint8Array): void {
    this.#write(bytes, 0);
  }

  /** Idempotent. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#guard(() => closeSync(this.#fd));
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #write(bytes: Uint8Array, position: number): void {
    this.#guard(() => {
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(this.#fd, bytes, at, bytes.length - at, position + at);
      }
    });
  }

  #guard<T>(action: () => T): T {
    try {
      return action();
    } catch (cause) {
      const isThere = (cause as NodeJS.ErrnoException).code === 'EEXIST';
      const advice = isThere ? '; choose another name, or overwrite it' : '';
      throw new RxscribeError('store', `record to ${this.path}: ${messageOf(cause)}${advice}`, { cause });
    }
  }
}

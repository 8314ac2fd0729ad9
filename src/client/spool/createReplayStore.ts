import { randomBytes } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PcmFormat } from '../../audio/format/format.ts';
import { createId } from '../../base/ids.ts';
import { fileError, readFully, writeFully } from './fileAccess.ts';
import { PagedStore, type PageFile } from './pagedStore.ts';
import { type Page, pageBytesOf } from './pages.ts';
import { Seal, TAG_BYTES } from './seal.ts';
import type { ReplayStore } from './spool.ts';

export interface ReplayStoreOptions {
  /** Format of the bytes of chunks. */
  readonly format: PcmFormat;
  /** Seconds of audio that stay in memory. Default 60. */
  readonly memorySeconds?: number;
  /** Directory of the temporary file for the rest. Default: the system's directory for temporary files. */
  readonly directory?: string;
}

/** Defaults of {@link ReplayStoreOptions}. */
export const REPLAY_STORE_DEFAULTS = { memorySeconds: 60 } as const;

/**
 * Creates an empty store that ends with the process.
 *
 * Audio that does not fit into memory goes to a temporary file: encrypted with a key in memory only, and without a name, so
 * that nothing remains however the process ends.
 *
 * @throws InvalidArgumentError when `memorySeconds` is negative
 * @example
 * const store = createReplayStore({ format: { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 } });
 * store.append({ startFrame: 0, frames: 2, bytes: new Uint8Array(4) });
 * store.read(1, 100); // { startFrame: 1, frames: 1, bytes }
 * store.close();
 */
export function createReplayStore({
  format,
  memorySeconds = REPLAY_STORE_DEFAULTS.memorySeconds,
  directory,
}: ReplayStoreOptions): ReplayStore {
  return new PagedStore({
    format,
    memorySeconds,
    file: new SlotFile({ pageBytes: pageBytesOf(format), directory }),
  });
}

interface SlotFileOptions {
  /** Bytes of the longest page. */
  readonly pageBytes: number;
  /** Default: the system's directory for temporary files. */
  readonly directory?: string | undefined;
}

/**
 * A temporary file of slots, one per page, created with the first page. It has as many slots as pages were ever in it at
 * the same time, and is empty when it holds no page.
 */
class SlotFile implements PageFile {
  readonly #slotBytes: number;
  readonly #directory: string;
  readonly #seal = new Seal(randomBytes(32));
  /** Sealing numbers, by slot. */
  #numbers: number[] = [];
  #free: number[] = [];
  #fd: number | undefined;

  constructor({ pageBytes, directory = tmpdir() }: SlotFileOptions) {
    this.#slotBytes = pageBytes + TAG_BYTES;
    this.#directory = directory;
  }

  get bytes(): number {
    return this.#numbers.length * this.#slotBytes;
  }

  write({ bytes }: Page & { readonly bytes: Uint8Array }): number {
    const slot = this.#free.at(-1) ?? this.#numbers.length;
    const number = this.#seal.count;
    try {
      this.#fd ??= this.#open();
      writeFully(this.#fd, this.#seal.seal(bytes), slot * this.#slotBytes);
    } catch (cause) {
      throw fileError(`Cannot write audio to a temporary file in '${this.#directory}'`, cause);
    }
    this.#free.pop();
    this.#numbers[slot] = number;
    return slot;
  }

  read({ place }: Page & { readonly place: number }, byteLength: number): Uint8Array {
    const sealed = new Uint8Array(byteLength + TAG_BYTES);
    try {
      readFully(this.#fd!, sealed, place * this.#slotBytes);
    } catch (cause) {
      throw fileError(`Cannot read audio from a temporary file in '${this.#directory}'`, cause);
    }
    return this.#seal.open(sealed, this.#numbers[place]!);
  }

  free({ place }: Page): void {
    if (place === undefined) return;
    this.#free.push(place);
    if (this.#free.length < this.#numbers.length) return;
    this.#free = [];
    this.#numbers = [];
    ftruncateSync(this.#fd!);
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    this.#numbers = [];
    this.#free = [];
  }

  /** Opens a file without a name: nothing of it is left when the process ends, in whatever way. */
  #open(): number {
    const path = join(this.#directory, `rxscribe-${createId()}`);
    const fd = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return fd;
  }
}

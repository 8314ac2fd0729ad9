import { closeSync, ftruncateSync, openSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PcmFormat } from '../../audio/format/format.ts';
import { createId } from '../../base/ids.ts';
import { orFileError, readFully, writeFully } from './fileAccess.ts';
import { PagedAudio, type PageFile, pageBytesOf } from './pagedAudio.ts';
import { PartStore } from './partStore.ts';
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
 * Audio that does not fit into memory goes to a temporary file without a name, which only this process can open: nothing of
 * it remains however the process ends.
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
  directory = tmpdir(),
}: ReplayStoreOptions): ReplayStore {
  const file = new SlotFile(pageBytesOf(format), directory);
  return new PartStore(format, new PagedAudio({ format, memorySeconds, file }));
}

/**
 * A temporary file of slots, one per page, created with the first page. It has as many slots as pages were ever in it at
 * the same time, and is empty when it holds no page.
 */
class SlotFile implements PageFile {
  readonly #slotBytes: number;
  readonly #directory: string;
  #slots = 0;
  #free: number[] = [];
  #fd: number | undefined;

  constructor(slotBytes: number, directory: string) {
    this.#slotBytes = slotBytes;
    this.#directory = directory;
  }

  write(bytes: Uint8Array): number {
    const slot = this.#free.at(-1) ?? this.#slots;
    orFileError(`Cannot write audio to a temporary file in '${this.#directory}'`, () => {
      this.#fd ??= this.#open();
      writeFully(this.#fd, bytes, slot * this.#slotBytes);
    });
    this.#free.pop();
    this.#slots = Math.max(this.#slots, slot + 1);
    return slot;
  }

  read(slot: number, target: Uint8Array, from: number): void {
    orFileError(`Cannot read audio from a temporary file in '${this.#directory}'`, () =>
      readFully(this.#fd!, target, slot * this.#slotBytes + from),
    );
  }

  free(slot: number): void {
    this.#free.push(slot);
    if (this.#free.length < this.#slots) return;
    this.#free = [];
    this.#slots = 0;
    ftruncateSync(this.#fd!);
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  /** Opens a file without a name: nothing of it is left when the process ends, in whatever way. */
  #open(): number {
    const path = join(this.#directory, `rxscribe-${createId()}`);
    const fd = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return fd;
  }
}

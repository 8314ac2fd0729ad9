import { randomBytes } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createId } from '../../base/ids.ts';
import { fileError, readFully, writeFully } from './fileAccess.ts';
import type { PageFile } from './pagedStore.ts';
import type { Page } from './pages.ts';
import { Seal, TAG_BYTES } from './seal.ts';

export interface SlotFileOptions {
  /** Bytes that a page has at most. */
  readonly pageBytes: number;
  /** Default that of the system for temporary files. */
  readonly directory?: string | undefined;
}

/**
 * A temporary file of slots, one a page, made when the first page comes. It has as many slots as pages were ever in it
 * at the same time, and is empty when no page is.
 */
export class SlotFile implements PageFile {
  readonly #slotBytes: number;
  readonly #directory: string;
  readonly #seal = new Seal(randomBytes(32));
  /** Of each slot: the number of what is sealed in it. */
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
      throw fileError(`write audio to a temporary file in ${this.#directory}`, cause);
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
      throw fileError(`read audio from a temporary file in ${this.#directory}`, cause);
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

  /** Without a name nothing is left of it when the process ends, in whatever way. */
  #open(): number {
    const path = join(this.#directory, `rxscribe-${createId()}`);
    const fd = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return fd;
  }
}

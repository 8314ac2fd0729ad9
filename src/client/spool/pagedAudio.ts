import { bytesPerFrame, type PcmFormat } from '../../audio/format/format.ts';
import { countLeading } from '../../base/countLeading.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { type AudioPart, type AudioParts, endOf } from './partStore.ts';
import type { Chunk } from './spool.ts';

/** A file for the pages that are not in memory. */
export interface PageFile {
  /** Writes a page and returns its place. */
  write(bytes: Uint8Array): number;
  /** Fills bytes from a byte of a page on. */
  read(place: number, target: Uint8Array, from: number): void;
  free(place: number): void;
  close(): void;
}

export interface PagedAudioOptions {
  readonly format: PcmFormat;
  /** Seconds of audio in memory, beside the page that is being filled. */
  readonly memorySeconds: number;
  /** File for the rest. Default: none; all audio stays in memory. */
  readonly file?: PageFile;
}

/** Consecutive audio of at most one second. */
interface Page extends AudioPart {
  frames: number;
  /** Undefined when the page is in the file. Longer than its frames while the page is being filled. */
  bytes: Uint8Array | undefined;
  /** Place in the file; undefined when it is in memory. */
  place?: number;
}

/** Maximum bytes of one read or write of a file, which then takes tens of microseconds. */
const MAX_PAGE_BYTES = 64 * 1024;

/**
 * Maximum number of buffers kept for further pages. Without reuse, 200 live streams would allocate 6 MB a second outside the
 * heap, and the garbage collector would take a quarter of the processor time of streaming.
 */
const MAX_SPARE_PAGES = 16;

/** Audio of which the newest is in memory, and older audio in a file. Pages in the file precede those in memory. */
export class PagedAudio implements AudioParts<Page> {
  parts: readonly Page[] = [];
  /** Bytes of the pages in memory. */
  memoryBytes = 0;
  readonly #file: PageFile | undefined;
  readonly #frameBytes: number;
  readonly #pageBytes: number;
  readonly #limitBytes: number;
  #spare: Uint8Array[] = [];

  constructor({ format, memorySeconds, file }: PagedAudioOptions) {
    if (!(memorySeconds >= 0)) {
      throw new InvalidArgumentError(`Option 'memorySeconds' must be at least 0, not ${memorySeconds}.`);
    }
    this.#file = file;
    this.#frameBytes = bytesPerFrame(format);
    this.#pageBytes = pageBytesOf(format);
    this.#limitBytes = memorySeconds * format.sampleRate * this.#frameBytes;
  }

  write({ startFrame, bytes }: Chunk): void {
    // In this order, a chunk without room is not stored at all, and may be appended again.
    this.#makeRoom(bytes.length);
    for (let done = 0; done < bytes.length; ) {
      const page = this.#openPage(startFrame + done / this.#frameBytes);
      const filled = page.frames * this.#frameBytes;
      const part = bytes.subarray(done, done + this.#pageBytes - filled);
      page.bytes!.set(part, filled);
      page.frames += part.length / this.#frameBytes;
      done += part.length;
    }
  }

  fill({ bytes, place }: Page, target: Uint8Array, from: number): void {
    if (bytes) target.set(bytes.subarray(from, from + target.length));
    else this.#file!.read(place!, target, from);
  }

  remove(page: Page): void {
    if (page.place !== undefined) this.#file?.free(page.place);
    this.#dropBytes(page);
  }

  close(): void {
    this.parts = [];
    this.#spare = [];
    this.memoryBytes = 0;
    this.#file?.close();
  }

  /** Moves the oldest pages to the file, except the newest page of all, which may still be filled. */
  #makeRoom(bytes: number): void {
    while (this.#file && this.memoryBytes + bytes > this.#limitBytes) {
      const index = countLeading(this.parts, page => page.bytes === undefined);
      const page = this.parts[index];
      if (!page?.bytes || index === this.parts.length - 1) return;
      page.place = this.#file.write(page.bytes.subarray(0, page.frames * this.#frameBytes));
      this.#dropBytes(page);
    }
  }

  /** Returns the page for a frame at the end. */
  #openPage(startFrame: number): Page {
    const last = this.parts.at(-1);
    if (last?.bytes && endOf(last) < startFrame) this.#trim(last, last.bytes);
    else if (last?.bytes && last.frames * this.#frameBytes < this.#pageBytes) return last;
    const page = { startFrame, frames: 0, bytes: this.#spare.pop() ?? new Uint8Array(this.#pageBytes) };
    (this.parts as Page[]).push(page);
    this.memoryBytes += this.#pageBytes;
    return page;
  }

  /** Cuts a page that is followed by a gap to its frames: many gaps must not cost the memory of a second each. */
  #trim(page: Page, bytes: Uint8Array): void {
    const filled = bytes.slice(0, page.frames * this.#frameBytes);
    this.#dropBytes(page);
    page.bytes = filled;
    this.memoryBytes += filled.length;
  }

  #dropBytes(page: Page): void {
    const { bytes } = page;
    if (!bytes) return;
    page.bytes = undefined;
    this.memoryBytes -= bytes.length;
    const isWhole = bytes.length === this.#pageBytes;
    if (isWhole && this.#spare.length < MAX_SPARE_PAGES) this.#spare.push(bytes);
  }
}

/** Returns the bytes of a whole page: a second of audio, or 64 KiB if that is less. */
export function pageBytesOf(format: PcmFormat): number {
  const frameBytes = bytesPerFrame(format);
  return Math.max(1, Math.min(format.sampleRate, Math.floor(MAX_PAGE_BYTES / frameBytes))) * frameBytes;
}

import type { PcmFormat } from '../../audio/format/format.ts';
import type { FrameRange } from '../../audio/format/frameRange.ts';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { createNeededFrames } from './neededFrames.ts';
import { endOf, type Page, Pages } from './pages.ts';
import type { Chunk, ReplayStore } from './replayStore.ts';

/**
 * Where pages are that are not in memory.
 *
 * All of it is synchronous. A page goes to the page cache of the system, which takes tens of microseconds, and the
 * order of things stays that of the calls: no queue of writes that memory would have to hold as well.
 */
export interface PageFile {
  readonly bytes: number;
  /** Writes a chunk before it is taken, where everything is written down; gives its place. */
  log?(chunk: Chunk): number;
  /** Gives the place of a page that leaves the memory, and writes it there unless it is. */
  write(page: Page & { readonly bytes: Uint8Array }): number;
  read(page: Page & { readonly place: number }, byteLength: number): Uint8Array;
  /** A page is needed no more. */
  free(page: Page): void;
  close(): void;
}

export interface PagedStoreOptions {
  readonly format: PcmFormat;
  /** Seconds of audio in memory; beside them there are at most the page that is filled and the page that is read. */
  readonly memorySeconds: number;
  readonly file: PageFile;
}

/** The newest audio in memory, what is older in a file. */
export class PagedStore implements ReplayStore {
  readonly pages: Pages;
  readonly #file: PageFile;
  readonly #limitBytes: number;
  readonly #needed = createNeededFrames();
  /** What was read last: whoever reads a page in small parts reads it from the file once. */
  #lastRead: { readonly page: Page; readonly bytes: Uint8Array } | undefined;
  #isClosed = false;

  constructor({ format, memorySeconds, file }: PagedStoreOptions) {
    if (!(memorySeconds >= 0)) {
      throw new InvalidArgumentError(
        `keep audio: wanted memorySeconds of at least 0, found ${memorySeconds}`,
      );
    }
    this.pages = new Pages(format);
    this.#file = file;
    this.#limitBytes = memorySeconds * format.sampleRate * this.pages.frameBytes;
  }

  get headFrame(): number {
    return this.pages.headFrame;
  }

  get memoryBytes(): number {
    return this.pages.memoryBytes + (this.#lastRead?.bytes.length ?? 0);
  }

  get fileBytes(): number {
    return this.#file.bytes;
  }

  append(chunk: Chunk): void {
    this.#check(chunk);
    // In this order: a chunk for which there is no room is not taken at all, and may be given again.
    this.#makeRoom(chunk.bytes.length);
    const place = this.#file.log?.(chunk);
    this.pages.append(chunk, place);
    // Released before it came.
    this.#forget({ startFrame: chunk.startFrame, endFrame: Math.min(this.#needed.mark, this.headFrame) });
  }

  read(frame: number, maxFrames: number): Chunk | undefined {
    const { list } = this.pages;
    const first = this.pages.indexAt(frame);
    if (this.#isClosed || first === list.length) return undefined;
    const startFrame = Math.max(frame, list[first]!.startFrame);
    let end = startFrame;
    const parts: Page[] = [];
    for (
      let index = first;
      end < startFrame + maxFrames && list[index] && list[index]!.startFrame <= end;
      index++
    ) {
      parts.push(list[index]!);
      end = Math.min(startFrame + maxFrames, endOf(list[index]!));
    }
    return this.#join(parts, { startFrame, endFrame: end });
  }

  release(beforeFrame: number): void {
    const startFrame = this.#needed.mark;
    this.#needed.release(beforeFrame);
    this.#forget({ startFrame, endFrame: beforeFrame });
  }

  keep(range: FrameRange): void {
    this.#needed.keep(range);
  }

  letGo(range: FrameRange): void {
    this.#needed.letGo(range);
    this.#forget(range);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#lastRead = undefined;
    this.pages.clear();
    this.#file.close();
  }

  #check({ startFrame, frames, bytes }: Chunk): void {
    if (this.#isClosed) throw new RxscribeError('invalid-state', 'keep audio: the store is closed');
    if (bytes.length !== frames * this.pages.frameBytes) {
      const wanted = frames * this.pages.frameBytes;
      throw new InvalidArgumentError(
        `keep audio: wanted ${wanted} bytes for ${frames} frames, found ${bytes.length}`,
      );
    }
    if (startFrame < this.headFrame) {
      throw new InvalidArgumentError(
        `keep audio: wanted a start of at least frame ${this.headFrame}, found ${startFrame}`,
      );
    }
  }

  #makeRoom(bytes: number): void {
    while (this.pages.memoryBytes + bytes > this.#limitBytes) {
      const page = this.pages.coldest();
      if (!page) return;
      this.pages.chill(page, this.#file.write({ ...page, bytes: page.bytes! }));
    }
  }

  #forget(range: FrameRange): void {
    const removed = this.pages.remove(range, one => this.#needed.some(one));
    for (const page of removed) {
      if (page === this.#lastRead?.page) this.#lastRead = undefined;
      this.#file.free(page);
    }
  }

  #join(pages: readonly Page[], { startFrame, endFrame }: FrameRange): Chunk {
    const { frameBytes } = this.pages;
    const partOf = (page: Page, bytes: Uint8Array) =>
      bytes.subarray(
        Math.max(0, startFrame - page.startFrame) * frameBytes,
        (Math.min(endFrame, endOf(page)) - page.startFrame) * frameBytes,
      );
    const frames = endFrame - startFrame;
    const [first, second] = pages;
    // Frames that are in a page never change: what lies in one needs no copy.
    if (first?.bytes && !second) return { startFrame, frames, bytes: partOf(first, first.bytes) };
    const bytes = new Uint8Array(frames * frameBytes);
    for (const page of pages) {
      const at = Math.max(0, page.startFrame - startFrame);
      bytes.set(partOf(page, this.#bytesOf(page)), at * frameBytes);
    }
    return { startFrame, frames, bytes };
  }

  #bytesOf(page: Page): Uint8Array {
    if (page.bytes) return page.bytes;
    if (page !== this.#lastRead?.page) {
      const bytes = this.#file.read({ ...page, place: page.place! }, page.frames * this.pages.frameBytes);
      this.#lastRead = { page, bytes };
    }
    return this.#lastRead.bytes;
  }
}

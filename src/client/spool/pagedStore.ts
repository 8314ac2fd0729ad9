import type { PcmFormat } from '../../audio/format/format.ts';
import { type FrameRange, rangeWithout, sharedRange } from '../../audio/format/frameRange.ts';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { endOf, type Page, Pages } from './pages.ts';
import type { Chunk, ReplayStore } from './spool.ts';

/**
 * A file for the pages that are not in memory.
 *
 * Everything is synchronous: a page goes to the page cache of the system within tens of microseconds, calls keep their
 * order, and there is no queue of writes that memory would have to hold as well.
 */
export interface PageFile {
  readonly bytes: number;
  /** Writes a chunk before it is stored, in a file that holds everything. Returns its place. */
  log?(chunk: Chunk): number;
  /** Returns the place of a page that leaves the memory, and writes it there unless it is there already. */
  write(page: Page & { readonly bytes: Uint8Array }): number;
  read(page: Page & { readonly place: number }, byteLength: number): Uint8Array;
  /** Frees the place of a page that is no longer needed. */
  free(page: Page): void;
  close(): void;
}

export interface PagedStoreOptions {
  readonly format: PcmFormat;
  /** Seconds of audio in memory, beside the page that is being filled and the one that was read last. */
  readonly memorySeconds: number;
  readonly file: PageFile;
}

/** A store with the newest audio in memory and older audio in a file. */
export class PagedStore implements ReplayStore {
  readonly pages: Pages;
  readonly #file: PageFile;
  readonly #limitBytes: number;
  readonly #needed = createNeededFrames();
  /** The page read last: many small reads of one page need one read of the file. */
  #lastRead: { readonly page: Page; readonly bytes: Uint8Array } | undefined;
  #isClosed = false;

  constructor({ format, memorySeconds, file }: PagedStoreOptions) {
    if (!(memorySeconds >= 0)) {
      throw new InvalidArgumentError(`Option 'memorySeconds' must be at least 0, not ${memorySeconds}.`);
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
    // In this order, a chunk without room is not stored at all, and may be appended again.
    this.#makeRoom(chunk.bytes.length);
    const place = this.#file.log?.(chunk);
    this.pages.append(chunk, place);
    const { mark } = this.#needed;
    // The chunk may have been released before it arrived.
    if (chunk.startFrame < mark) {
      this.#forget({ startFrame: chunk.startFrame, endFrame: Math.min(mark, this.headFrame) });
    }
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
    if (this.#isClosed) throw new RxscribeError('invalid-state', 'Cannot keep audio: the store is closed.');
    if (bytes.length !== frames * this.pages.frameBytes) {
      const wanted = frames * this.pages.frameBytes;
      throw new InvalidArgumentError(
        `A chunk of ${frames} frames must have ${wanted} bytes, not ${bytes.length}.`,
      );
    }
    if (startFrame < this.headFrame) {
      throw new InvalidArgumentError(
        `A chunk must start at frame ${this.headFrame} or later, not at ${startFrame}.`,
      );
    }
  }

  #makeRoom(bytes: number): void {
    while (this.pages.memoryBytes + bytes > this.#limitBytes) {
      const page = this.pages.oldestInMemory();
      if (!page) return;
      this.pages.evict(page, this.#file.write({ ...page, bytes: page.bytes! }));
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
    // The frames of a page never change: a part of a single page needs no copy.
    if (first?.bytes && !second) {
      return { startFrame, frames, bytes: partOf(first, this.pages.share(first)!) };
    }
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

/** The frames that are still needed: all from a mark on, and kept ranges before the mark. */
interface NeededFrames {
  /** Frames before it are needed only where they are kept. */
  readonly mark: number;
  /** Moves the mark, never back. */
  release(beforeFrame: number): void;
  keep(range: FrameRange): void;
  /** Undoes one `keep` of each frame: a frame that was kept twice stays kept once. */
  letGo(range: FrameRange): void;
  /** Returns whether any frame of a range is needed. */
  some(range: FrameRange): boolean;
}

function createNeededFrames(): NeededFrames {
  let mark = 0;
  let kept: readonly FrameRange[] = [];
  return {
    get mark() {
      return mark;
    },
    release(beforeFrame) {
      mark = Math.max(mark, beforeFrame);
    },
    keep(range) {
      if (range.startFrame < range.endFrame) kept = [...kept, range];
    },
    letGo(range) {
      let rest: readonly FrameRange[] = [range];
      kept = kept.flatMap(one => {
        const shared = rest.flatMap(part => sharedRange(one, part) ?? []);
        rest = rest.flatMap(part => rangeWithout(part, shared));
        return rangeWithout(one, shared);
      });
    },
    some: range => range.endFrame > mark || kept.some(one => sharedRange(one, range)),
  };
}

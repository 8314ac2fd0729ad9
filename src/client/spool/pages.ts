import { bytesPerFrame, type PcmFormat } from '../../audio/format/format.ts';
import type { FrameRange } from '../../audio/format/frameRange.ts';
import { countLeading } from '../../base/countLeading.ts';
import type { Chunk } from './spool.ts';

/** A chunk, with or without its bytes. */
type PagedAudio = Omit<Chunk, 'bytes'> & Partial<Chunk>;

/** Consecutive audio of at most one second. */
export interface Page {
  readonly startFrame: number;
  readonly frames: number;
  /** Undefined when the page is not in memory. Longer than its frames while the page is being filled. */
  readonly bytes: Uint8Array | undefined;
  /** Place in the file; undefined when it is in memory only. */
  readonly place: number | undefined;
}

type MutablePage = { -readonly [name in keyof Page]: Page[name] } & {
  /** True when a caller may hold a view of the bytes. */
  isShared?: boolean;
};

/** Maximum bytes of one read or write of a file, which then takes tens of microseconds. */
const MAX_PAGE_BYTES = 64 * 1024;

/** Maximum number of buffers kept for further pages: 131 MB of 16 kHz audio in 16 bits, at most 268 MB. */
const MAX_SPARE_PAGES = 4096;

/**
 * Buffers of removed pages, shared by all open stores. Without reuse, 200 live streams would allocate 6 MB a second outside the
 * heap, and the garbage collector would take a quarter of the processor time of streaming.
 */
const spare: Uint8Array[] = [];
let openStores = 0;

/** Audio cut into pages, in the order of their frames. Pages outside memory precede those in memory. */
export class Pages {
  readonly frameBytes: number;
  readonly pageBytes: number;
  readonly #pageFrames: number;
  #list: MutablePage[] = [];
  #headFrame = 0;
  #memoryBytes = 0;
  #frames = 0;

  constructor(format: PcmFormat) {
    this.frameBytes = bytesPerFrame(format);
    this.pageBytes = pageBytesOf(format);
    this.#pageFrames = this.pageBytes / this.frameBytes;
    openStores++;
  }

  get list(): readonly Page[] {
    return this.#list;
  }

  /** End of all audio so far, removed pages included. */
  get headFrame(): number {
    return this.#headFrame;
  }

  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  /** Bytes of audio, in memory or not. */
  get audioBytes(): number {
    return this.#frames * this.frameBytes;
  }

  /** Returns the index of the first page that ends after a frame. */
  indexAt(frame: number): number {
    return countLeading(this.#list, page => endOf(page) <= frame);
  }

  /**
   * Copies a chunk to the end; it starts at the head or after it. New pages get the given place. A chunk without bytes is
   * in the file only.
   */
  append({ startFrame, frames, bytes }: PagedAudio, place?: number): void {
    if (startFrame > this.#headFrame) this.#trimLast();
    this.#headFrame = startFrame;
    for (let done = 0; done < frames; ) {
      const page = this.#openPage(bytes !== undefined, place);
      const count = Math.min(frames - done, this.#pageFrames - page.frames);
      const part =
        count === frames ? bytes : bytes?.subarray(done * this.frameBytes, (done + count) * this.frameBytes);
      if (part) page.bytes?.set(part, page.frames * this.frameBytes);
      page.frames += count;
      this.#frames += count;
      this.#headFrame += count;
      done += count;
    }
  }

  /** Returns the oldest page in memory, except the newest page of all, which may still be filled. */
  oldestInMemory(): Page | undefined {
    const index = countLeading(this.#list, page => page.bytes === undefined);
    return index < this.#list.length - 1 ? this.#list[index] : undefined;
  }

  /** Drops the bytes of a page that is in the file now. */
  evict(page: Page, place: number): void {
    this.#dropBytes(page);
    Object.assign(page, { bytes: undefined, place });
  }

  /** Returns the bytes of a page for a view that may outlive the page. */
  share(page: Page): Uint8Array | undefined {
    (page as MutablePage).isShared = true;
    return page.bytes;
  }

  /** Removes the pages that overlap a range and are not wanted. Returns them. */
  remove(range: FrameRange, isWanted: (range: FrameRange) => boolean): readonly Page[] {
    const from = this.indexAt(range.startFrame);
    const to = countLeading(this.#list, page => page.startFrame < range.endFrame);
    const removed = new Set<Page>();
    for (const page of this.#list.slice(from, to)) {
      if (isWanted(rangeOf(page))) continue;
      removed.add(page);
      this.#frames -= page.frames;
      this.#dropBytes(page);
    }
    if (removed.size > 0) this.#list = this.#list.filter(page => !removed.has(page));
    return [...removed];
  }

  /** Notes that a page is at another place of the file. */
  move(page: Page, place: number): void {
    Object.assign(page, { place });
  }

  /** Removes all pages. Call once, at the end. */
  clear(): void {
    openStores--;
    if (openStores === 0) spare.length = 0;
    this.#list = [];
    this.#memoryBytes = 0;
    this.#frames = 0;
  }

  #openPage(isInMemory: boolean, place?: number): MutablePage {
    const last = this.#list.at(-1);
    const isOpen = last && last.frames < this.#pageFrames && endOf(last) === this.#headFrame;
    if (isOpen && isInMemory === (last.bytes !== undefined)) return last;
    const bytes = isInMemory ? emptyPage(this.pageBytes) : undefined;
    const page = { startFrame: this.#headFrame, frames: 0, bytes, place };
    this.#list.push(page);
    this.#memoryBytes += bytes?.length ?? 0;
    return page;
  }

  #dropBytes({ bytes, isShared }: MutablePage): void {
    if (!bytes) return;
    this.#memoryBytes -= bytes.length;
    if (!isShared && spare.length < MAX_SPARE_PAGES) spare.push(bytes);
  }

  /** Cuts a page that is followed by a gap to its frames: many gaps must not cost the memory of a second each. */
  #trimLast(): void {
    const last = this.#list.at(-1);
    if (!last?.bytes) return;
    const bytes = last.bytes.slice(0, last.frames * this.frameBytes);
    this.#memoryBytes += bytes.length - last.bytes.length;
    last.bytes = bytes;
  }
}

/** Returns bytes that are still to be filled. */
function emptyPage(bytes: number): Uint8Array {
  const page = spare.pop();
  return page?.length === bytes ? page : new Uint8Array(bytes);
}

/** Returns the bytes of a whole page: a second of audio, or 64 KiB if that is less. */
export function pageBytesOf(format: PcmFormat): number {
  const frameBytes = bytesPerFrame(format);
  return Math.max(1, Math.min(format.sampleRate, Math.floor(MAX_PAGE_BYTES / frameBytes))) * frameBytes;
}

export function endOf(page: Pick<Page, 'startFrame' | 'frames'>): number {
  return page.startFrame + page.frames;
}

export function rangeOf(page: Page): FrameRange {
  return { startFrame: page.startFrame, endFrame: endOf(page) };
}

import { rmSync } from 'node:fs';
import { endOf, type Page, type Pages } from './pages.ts';
import { SpoolLog, type SpoolLogOptions } from './spoolLog.ts';
import { encodeAudio } from './spoolRecord.ts';

/** The parts of a log that are needed. During the copy, records may be added and pages removed. */
export interface NeededRecords {
  readonly pages: Pages;
  readonly bytesOf: (page: Page) => Uint8Array;
  /** Offsets of records that are copied as they are. */
  readonly kept: readonly number[];
}

export interface RewrittenLog {
  readonly log: SpoolLog;
  /** Offsets as before, in the new file. */
  readonly kept: number[];
}

/** Limits of one step: milliseconds of work, and several times the data that is written between two steps. */
const STEP = { bytes: 128 * 1024, records: 32 } as const;
/** Bytes copied between two waits for the disk: a single wait for all of them would take seconds. */
const SYNC_BYTES = 4 * 1024 * 1024;

/** Returns the path of the new file while a spool is rewritten. */
export function rewritePath(path: string): string {
  return `${path}.rewrite`;
}

/**
 * Copies the needed parts of a log into a new file, a little at a time, while new records are written to the old file. Then the
 * new file replaces the old one atomically: at any time, one of them is complete.
 */
export class LogRewriting {
  readonly #old: SpoolLog;
  readonly #needed: NeededRecords;
  readonly #path: string;
  readonly #log: SpoolLog;
  #kept: number[] = [];
  readonly #places = new Map<Page, number>();
  /** Pages that end before this frame are copied. */
  #frame = 0;
  #unsyncedBytes = 0;

  constructor(old: SpoolLog, needed: NeededRecords, options: SpoolLogOptions) {
    this.#old = old;
    this.#needed = needed;
    this.#path = options.path;
    const path = rewritePath(options.path);
    rmSync(path, { force: true });
    this.#log = SpoolLog.create(old.header, { ...options, path });
  }

  /** Copies the next part. Returns the new log once it has replaced the old one. */
  step(): RewrittenLog | undefined {
    const from = this.#log.bytes;
    for (let records = 0; records < STEP.records && this.#log.bytes - from < STEP.bytes; records++) {
      if (!this.#copyNext()) return this.#end();
    }
    this.#unsyncedBytes += this.#log.bytes - from;
    if (this.#unsyncedBytes >= SYNC_BYTES) this.#sync();
    return undefined;
  }

  cancel(): void {
    this.#log.close();
    rmSync(rewritePath(this.#path), { force: true });
  }

  /** Copies the next record or page; the newest page is left for the end, since it may still be filled. */
  #copyNext(): boolean {
    const offset = this.#needed.kept[this.#kept.length];
    const { list } = this.#needed.pages;
    const index = this.#needed.pages.indexAt(this.#frame);
    if (offset !== undefined) this.#copyRecord(offset);
    else if (index < list.length - 1) this.#copyPage(list[index]!);
    else return false;
    return true;
  }

  #copyRecord(offset: number): void {
    const { type, payload } = this.#old.at(offset);
    this.#kept.push(this.#log.append(type, payload));
  }

  #copyPage(page: Page): void {
    const bytes = this.#needed.bytesOf(page);
    this.#places.set(page, this.#log.append('audio', encodeAudio({ ...page, bytes })));
    this.#frame = endOf(page);
  }

  #end(): RewrittenLog {
    const { pages } = this.#needed;
    const newest = pages.list.at(-1);
    if (newest && endOf(newest) > this.#frame) this.#copyPage(newest);
    // Marks the position of the source, however little of its audio is needed.
    const head = { startFrame: pages.headFrame, bytes: new Uint8Array() };
    if (this.#frame < head.startFrame) this.#log.append('audio', encodeAudio(head));
    // Otherwise a power failure could cost both files.
    this.#sync();
    this.#log.moveTo(this.#path);
    for (const page of pages.list) pages.move(page, this.#places.get(page)!);
    return { log: this.#log, kept: this.#kept };
  }

  #sync(): void {
    this.#log.sync();
    this.#unsyncedBytes = 0;
  }
}

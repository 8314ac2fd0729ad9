import { rmSync } from 'node:fs';
import { RxscribeError } from '../../base/errors.ts';
import { REPLAY_STORE_DEFAULTS } from './createReplayStore.ts';
import { LogRewriting, rewritePath } from './logRewriting.ts';
import { PagedStore, type PageFile } from './pagedStore.ts';
import { endOf, type Page } from './pages.ts';
import type { Spool, SpoolNote } from './spool.ts';

import type { LogRecord, SpoolLog, SpoolLogOptions } from './spoolLog.ts';
import { decodeAudio, encodeAudio, type RecordType } from './spoolRecord.ts';

export interface SpoolFileOptions extends SpoolLogOptions {
  readonly log: SpoolLog;
  readonly memorySeconds?: number | undefined;
  /** Maximum bytes of unneeded data in the file, or as many as of needed data if that is more. */
  readonly spareBytes?: number | undefined;
}

/** Defaults of {@link SpoolFileOptions}. */
export const SPOOL_DEFAULTS = { ...REPLAY_STORE_DEFAULTS, spareBytes: 64 * 1024 * 1024 } as const;

/** The audio and the notes of one source in one log file. */
export class SpoolFile implements Spool {
  readonly store: PagedStore;
  readonly #options: SpoolLogOptions;
  readonly #spareBytes: number;
  #log: SpoolLog;
  /** Offsets of the records that stay: the subject and the notes. */
  #kept: number[] = [];
  #keptBytes = 0;
  /** A file of fewer bytes is not rewritten. */
  #leastBytes = 0;
  #rewriting: LogRewriting | undefined;
  #isClosed = false;

  constructor(options: SpoolFileOptions) {
    this.#options = options;
    const {
      log,
      memorySeconds = SPOOL_DEFAULTS.memorySeconds,
      spareBytes = SPOOL_DEFAULTS.spareBytes,
    } = options;
    this.#log = log;
    this.#spareBytes = spareBytes;
    this.store = new PagedStore({ format: log.header.format, memorySeconds, file: this.#pageFile() });
  }

  /** Restores a record that is in the log already. */
  restore({ type, payload, offset, next }: LogRecord): void {
    if (type === 'audio') {
      const chunk = decodeAudio(payload, this.store.pages.frameBytes);
      if (!chunk || chunk.startFrame < this.store.headFrame) throw this.#log.damaged(offset);
      const { startFrame, frames } = chunk;
      this.store.pages.append({ startFrame, frames }, offset);
    } else if (type === 'note' || type === 'subject') {
      this.#kept.push(offset);
      this.#keptBytes += next - offset;
    }
  }

  /** Writes a record that stays. */
  write(type: RecordType, value: unknown): void {
    if (this.#isClosed)
      throw new RxscribeError(
        'invalid-state',
        `Cannot write to spool '${this.#options.path}': it is closed.`,
      );
    this.#tidy();
    const offset = this.#log.append(type, Buffer.from(JSON.stringify(value)));
    this.#kept.push(offset);
    this.#keptBytes += this.#log.bytes - offset;
  }

  note(note: SpoolNote): void {
    this.write('note', note);
  }

  finish(): void {
    if (this.#isClosed) return;
    this.#close();
    rmSync(this.#options.path, { force: true });
    // Left over when an earlier process was killed during a rewrite.
    rmSync(rewritePath(this.#options.path), { force: true });
  }

  close(): void {
    if (this.#isClosed) return;
    try {
      this.#log.append('left', new Uint8Array());
    } catch {
      // Without the record, the spool is free once this process has ended.
    }
    this.#close();
  }

  #close(): void {
    this.#isClosed = true;
    this.#cancelRewriting();
    this.store.close();
    this.#log.close();
  }

  #pageFile(): PageFile {
    const bytes = () => this.#log.bytes;
    return {
      get bytes() {
        return bytes();
      },
      log: chunk => {
        this.#tidy();
        return this.#log.append('audio', encodeAudio(chunk));
      },
      // The chunks of a page were written on arrival.
      write: page => page.place!,
      read: page => this.#read(page),
      free() {},
      close() {},
    };
  }

  /** Removes unneeded data once it is more than the rest, so that rewriting costs less than writing did. */
  #tidy(): void {
    try {
      if (!this.#rewriting && !this.#hasMuchToSpare()) return;
      this.#rewriting ??= this.#rewrite();
      const rewritten = this.#rewriting.step();
      if (!rewritten) return;
      this.#log.close();
      this.#log = rewritten.log;
      this.#kept = rewritten.kept;
      this.#rewriting = undefined;
    } catch {
      // The old file is complete. Without room for a second file, the next attempt waits until it would gain more.
      this.#cancelRewriting();
      this.#leastBytes = this.#log.bytes + this.#spareBytes;
    }
  }

  #hasMuchToSpare(): boolean {
    const neededBytes = this.store.pages.audioBytes + this.#keptBytes;
    const spareBytes = this.#log.bytes - neededBytes;
    return spareBytes > Math.max(neededBytes, this.#spareBytes) && this.#log.bytes >= this.#leastBytes;
  }

  #rewrite(): LogRewriting {
    const { pages } = this.store;
    const bytesOf = (page: Page) =>
      page.bytes?.subarray(0, page.frames * pages.frameBytes) ?? this.#read(page);
    return new LogRewriting(this.#log, { pages, bytesOf, kept: this.#kept }, this.#options);
  }

  #cancelRewriting(): void {
    this.#rewriting?.cancel();
    this.#rewriting = undefined;
  }

  #read(page: Page): Uint8Array {
    const { frameBytes } = this.store.pages;
    const bytes = new Uint8Array(page.frames * frameBytes);
    let record = this.#log.at(page.place!);
    for (;;) {
      if (record.type === 'audio') {
        const chunk = decodeAudio(record.payload, frameBytes);
        if (!chunk) throw this.#log.damaged(record.offset);
        const from = Math.max(page.startFrame, chunk.startFrame);
        const to = Math.min(endOf(page), endOf(chunk));
        const part = chunk.bytes.subarray(
          (from - chunk.startFrame) * frameBytes,
          (to - chunk.startFrame) * frameBytes,
        );
        bytes.set(part, (from - page.startFrame) * frameBytes);
        if (to === endOf(page)) return bytes;
      }
      record = this.#log.at(record.next);
    }
  }
}

import { readFully } from './fileAccess.ts';
import { decodeHead, HEAD_BYTES, type RecordHead } from './spoolRecord.ts';

/** A record as stored in the file. */
export interface RawRecord {
  readonly head: RecordHead;
  /** Valid until the next record is read. */
  readonly body: Uint8Array;
}

/** Bytes read ahead: records are small, and mostly read one after the other. */
const WINDOW_BYTES = 64 * 1024;

/** A reader of records of a file that only grows. */
export class RecordReader {
  readonly #fd: number;
  #window = new Uint8Array(0);
  #from = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Returns the record at an offset: undefined when it reaches beyond the end, `damaged` when its head is unreadable. */
  read(offset: number, end: number): RawRecord | 'damaged' | undefined {
    if (offset + HEAD_BYTES > end) return undefined;
    const head = decodeHead(this.#bytes(offset, HEAD_BYTES, end).slice());
    if (!head) return 'damaged';
    if (offset + HEAD_BYTES + head.bodyBytes > end) return undefined;
    return { head, body: this.#bytes(offset + HEAD_BYTES, head.bodyBytes, end) };
  }

  #bytes(offset: number, length: number, end: number): Uint8Array {
    const start = offset - this.#from;
    if (start >= 0 && start + length <= this.#window.length)
      return this.#window.subarray(start, start + length);
    const bytes = new Uint8Array(Math.min(Math.max(length, WINDOW_BYTES), end - offset));
    this.#window = bytes.subarray(0, readFully(this.#fd, bytes, offset));
    this.#from = offset;
    return this.#window.subarray(0, length);
  }
}

const SEARCH_BYTES = 1024 * 1024;

/** Returns whether a whole record begins anywhere between two bytes of a file, judged by its head. */
export function hasRecordBetween(fd: number, from: number, end: number): boolean {
  const window = new Uint8Array(SEARCH_BYTES);
  for (let start = from; start + HEAD_BYTES <= end; start += SEARCH_BYTES - HEAD_BYTES + 1) {
    const length = readFully(fd, window.subarray(0, Math.min(SEARCH_BYTES, end - start)), start);
    for (let at = 0; at + HEAD_BYTES <= length; at++) {
      const head = decodeHead(window.subarray(at, at + HEAD_BYTES));
      if (head && start + at + HEAD_BYTES + head.bodyBytes <= end) return true;
    }
  }
  return false;
}

import { readFully } from './fileAccess.ts';
import { decodeHead, HEAD_BYTES } from './spoolRecord.ts';

const WINDOW_BYTES = 1024 * 1024;

/** Whether a whole record begins anywhere between two bytes of a file, as far as its head tells. */
export function hasRecordBetween(fd: number, from: number, end: number): boolean {
  const window = new Uint8Array(WINDOW_BYTES);
  for (let start = from; start + HEAD_BYTES <= end; start += WINDOW_BYTES - HEAD_BYTES + 1) {
    const length = readFully(fd, window.subarray(0, Math.min(WINDOW_BYTES, end - start)), start);
    for (let at = 0; at + HEAD_BYTES <= length; at++) {
      const head = decodeHead(window.subarray(at, at + HEAD_BYTES));
      if (head && start + at + HEAD_BYTES + head.bodyBytes <= end) return true;
    }
  }
  return false;
}

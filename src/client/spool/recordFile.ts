import { closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import { appendFully, damaged, orFileError } from './fileAccess.ts';

const NEWLINE = 10;
/** Digits of the checksum, and a space. */
const HEAD_CHARACTERS = 9;

/**
 * Reads the values in a file of lines, each with its checksum and its JSON, and returns the bytes of whole lines as well: what
 * follows was cut off when the process was killed. Damage without a whole line after it counts as cut off.
 *
 * @throws RxscribeError `unreadable-input` when a line before the last one is damaged; errors of the file system
 */
export function readRecords(path: string, spoolPath: string) {
  const content = readFileSync(path);
  const values: unknown[] = [];
  let bytes = 0;
  let from = 0;
  for (let end = content.indexOf(NEWLINE); end >= 0; end = content.indexOf(NEWLINE, from)) {
    const text = content.subarray(from + HEAD_CHARACTERS, end);
    const isWhole = content.toString('latin1', from, from + HEAD_CHARACTERS) === headOf(text);
    if (isWhole && bytes < from) throw damaged(spoolPath, `byte ${bytes} of its notes`);
    from = end + 1;
    if (!isWhole) continue;
    values.push(jsonOf(text.toString()));
    bytes = from;
  }
  return { values, bytes };
}

/** A file of records that only grows. Appended records survive the process, however it ends. */
export class RecordFile {
  readonly #spoolPath: string;
  readonly #fd: number;
  #bytes: number;

  /** Opens a file behind its whole records, or creates it. @throws errors of the file system */
  constructor(path: string, spoolPath: string, bytes = 0) {
    this.#spoolPath = spoolPath;
    this.#bytes = bytes;
    this.#fd = openSync(path, bytes > 0 ? 'r+' : 'wx', 0o600);
    ftruncateSync(this.#fd, bytes);
  }

  /**
   * Appends a record. A failed write leaves nothing behind, so that another may follow.
   *
   * @throws RxscribeError `store`
   */
  append(value: object): void {
    const text = Buffer.from(JSON.stringify(value));
    const line = Buffer.concat([Buffer.from(headOf(text)), text, Buffer.of(NEWLINE)]);
    orFileError(`Cannot write spool '${this.#spoolPath}'`, () => appendFully(this.#fd, line, this.#bytes));
    this.#bytes += line.length;
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** Returns the checksum of a text, as at the beginning of its line. */
function headOf(text: Uint8Array): string {
  return `${crc32(text).toString(16).padStart(8, '0')} `;
}

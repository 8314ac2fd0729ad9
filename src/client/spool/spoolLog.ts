import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { checkOwner, fileError, writeFully } from './fileAccess.ts';
import { hasRecordBetween, RecordReader } from './recordReader.ts';
import { HEAD_BYTES, plainCodec, type RecordCodec, type RecordType, sealedCodec } from './spoolRecord.ts';
import { headerLine, parseWriter, readHeader, type SpoolHeader } from './spoolSchema.ts';
import { thisProcess, type WriterRecord } from './writerProcess.ts';

export interface LogRecord {
  readonly type: RecordType;
  readonly payload: Uint8Array;
  readonly offset: number;
  /** Offset of the next record. */
  readonly next: number;
}

/** The records of one writer. */
interface Section {
  readonly from: number;
  readonly codec: RecordCodec;
}

export interface SpoolLogOptions {
  readonly path: string;
  readonly key?: Uint8Array | undefined;
}

/** A file of records that only grows. Appended records survive the process, however it ends. */
export class SpoolLog {
  readonly header: SpoolHeader;
  #path: string;
  readonly #key: Uint8Array | undefined;
  readonly #line: string;
  readonly #fd: number;
  readonly #reader: RecordReader;
  #sections: readonly Section[] = [];
  #bytes: number;
  #isTorn = false;

  private constructor(
    fd: number,
    { header, line }: { header: SpoolHeader; line: string },
    options: SpoolLogOptions,
  ) {
    this.header = header;
    this.#path = options.path;
    this.#key = header.encrypted ? options.key : undefined;
    this.#line = line;
    this.#fd = fd;
    this.#reader = new RecordReader(fd);
    this.#bytes = line.length;
  }

  /** Creates a file with a first line and a writer record, which only its owner may read. */
  static create(header: SpoolHeader, options: SpoolLogOptions): SpoolLog {
    const fd = openSync(options.path, 'wx+', 0o600);
    try {
      const line = headerLine(header);
      writeFully(fd, Buffer.from(line), 0);
      const log = new SpoolLog(fd, { header, line }, options);
      log.beginWriting();
      return log;
    } catch (error) {
      closeSync(fd);
      unlinkSync(options.path);
      throw error;
    }
  }

  /** Opens an existing file; {@link records} has to be read to its end before the first write. */
  static open(options: SpoolLogOptions): SpoolLog {
    const fd = openSync(options.path, constants.O_RDWR);
    try {
      checkOwner(fd, options.path);
      const found = readHeader(fd, options.path);
      if (found.header.encrypted && !options.key) {
        throw new InvalidArgumentError(
          `Cannot read spool '${options.path}': it is encrypted. Pass its key (option 'key', or --spool-key-file).`,
        );
      }
      if (options.key && !found.header.encrypted) {
        throw new InvalidArgumentError(
          `Cannot read spool '${options.path}': it is not encrypted, but a key was given. If you trust the file, leave out the key.`,
        );
      }
      return new SpoolLog(fd, found, options);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** True when bytes that are no record follow the last record. */
  get isTorn(): boolean {
    return this.#isTorn;
  }

  /** Yields all records up to one that was cut off, if any; damage without a record after it counts as cut off. */
  *records(): Generator<LogRecord> {
    const end = fstatSync(this.#fd).size;
    for (;;) {
      const record = this.#readLast(this.#bytes, end);
      if (!record) return;
      if (record.type === 'writer') {
        const writer = parseWriter(record.payload);
        if (!writer) throw this.damaged(record.offset);
        this.#beginSection(record.next, writer);
      }
      this.#bytes = record.next;
      yield record;
    }
  }

  /** Returns the record at an offset. */
  at(offset: number): LogRecord {
    const record = this.#read(offset, this.#bytes);
    if (!record) throw this.damaged(offset);
    return record;
  }

  /** Marks that this process writes from here on, and removes a record that was cut off. */
  beginWriting(): void {
    ftruncateSync(this.#fd, this.#bytes);
    const salt = this.#key && randomBytes(32).toString('base64');
    const writer: WriterRecord = { ...thisProcess(), header: crc32(this.#line), salt };
    this.append('writer', Buffer.from(JSON.stringify(writer)));
    this.#beginSection(this.#bytes, writer);
  }

  /** Appends a record and returns its offset. A failed write leaves nothing behind, so that another may follow. */
  append(type: RecordType, payload: Uint8Array): number {
    const offset = this.#bytes;
    const record = this.#codecOf(type, offset).encode(type, payload);
    try {
      writeFully(this.#fd, record, offset);
    } catch (cause) {
      ftruncateSync(this.#fd, offset);
      throw fileError(`Cannot write spool '${this.#path}'`, cause);
    }
    this.#bytes += record.length;
    return offset;
  }

  /** Moves the file to another path, and replaces the file there. */
  moveTo(path: string): void {
    renameSync(this.#path, path);
    this.#path = path;
  }

  /** Waits until everything written survives a power failure. */
  sync(): void {
    fsyncSync(this.#fd);
  }

  close(): void {
    closeSync(this.#fd);
  }

  #readLast(offset: number, end: number): LogRecord | undefined {
    try {
      return this.#read(offset, end);
    } catch (error) {
      if (hasRecordBetween(this.#fd, offset + 1, end)) throw error;
      this.#isTorn = true;
      return undefined;
    }
  }

  #read(offset: number, end: number): LogRecord | undefined {
    const record = this.#reader.read(offset, end);
    if (!record) return undefined;
    if (record === 'damaged') throw this.damaged(offset);
    const { head, body } = record;
    try {
      const payload = this.#codecOf(head.type, offset).decode(head, body);
      return { type: head.type, payload, offset, next: offset + HEAD_BYTES + head.bodyBytes };
    } catch (cause) {
      throw this.damaged(offset, cause);
    }
  }

  #beginSection(from: number, { header, salt = '' }: WriterRecord): void {
    if (header !== crc32(this.#line)) throw this.damaged(0);
    const codec = this.#key ? sealedCodec(this.#key, Buffer.from(salt, 'base64'), this.#line) : plainCodec;
    this.#sections = [...this.#sections, { from, codec }];
  }

  #codecOf(type: RecordType, offset: number): RecordCodec {
    if (type === 'writer' || type === 'left') return plainCodec;
    const section = this.#sections.findLast(({ from }) => from <= offset);
    if (!section) throw this.damaged(offset);
    return section.codec;
  }

  /** Returns the error for a record that is not valid. */
  damaged(offset: number, cause?: unknown): RxscribeError {
    return new RxscribeError(
      'unreadable-input',
      `Cannot read spool '${this.#path}': it is damaged at byte ${offset}.`,
      {
        cause,
      },
    );
  }
}

import { paddingBefore } from '../pcm/wavHeader.ts';
import { type ByteReader, viewOf } from './byteReader.ts';

/** A kind of files that are a head and a sequence of chunks, each with an id of four characters and a size. */
export interface ChunkKind {
  readonly name: string;
  /** Bytes of the id, the size and what else precedes the body. */
  readonly headBytes: number;
  /** Chunks begin at multiples of this number of bytes. */
  readonly alignment: number;
  /** Returns the size of the body, by the head; infinite when it lasts until the end of the file, negative when it is none. */
  sizeOf(head: DataView): number;
}

/** Beginnings of files that look like chunks of the file before them. */
const FILES: readonly string[] = ['RIFF', 'RF64', 'BW64', 'FORM', 'riff', 'caff', 'fLaC', 'OggS'];

/** Reads the chunks of one file, one after another. */
export class ChunkReader {
  readonly #bytes: ByteReader;
  readonly #kind: ChunkKind;
  #left: number;
  #padding: number;
  /** Bytes of a chunk that was skipped, though the file ends within it. */
  cutBytes = 0;

  /** @param size bytes from the current position until the end of its chunk; default 0 */
  constructor(bytes: ByteReader, kind: ChunkKind, size = 0) {
    this.#bytes = bytes;
    this.#kind = kind;
    this.#left = size;
    this.#padding = this.#paddingAfter(size);
  }

  /** Bytes of the body of the current chunk that are not read. */
  get left(): number {
    return this.#left;
  }

  /** Skips the rest of the chunk. Resolves with the id of the next one; undefined where none begins, which is then not read. */
  async next(): Promise<string | undefined> {
    const missing = await this.#bytes.skip(this.#left);
    if (missing > 0) {
      const skipped = Number.isFinite(missing) ? this.#left - missing : 0;
      if (skipped > 0) this.cutBytes = this.#kind.headBytes + skipped;
      return undefined;
    }
    const { headBytes } = this.#kind;
    const window = await this.#bytes.peek(this.#padding + headBytes);
    const padding = paddingBefore(window, this.#padding);
    const head = window.subarray(padding, padding + headBytes);
    const id = String.fromCharCode(...head.subarray(0, 4));
    const isChunk = head.length === headBytes && /^[ -~]{4}$/.test(id) && !FILES.includes(id);
    const size = isChunk ? this.#kind.sizeOf(viewOf(head)) : -1;
    this.#left = Math.max(0, size);
    if (size < 0) return undefined;
    this.#bytes.advance(padding + headBytes);
    this.#padding = this.#paddingAfter(size);
    return id;
  }

  /** Resolves with the next bytes of the body; fewer than wanted at its end. */
  async read(wanted: number): Promise<Uint8Array> {
    const body = await this.#bytes.read(Math.min(wanted, this.#left));
    this.#left -= body.length;
    return body;
  }

  /** Resolves with the next bytes of the body as they arrive; empty at its end. */
  async readPiece(): Promise<Uint8Array> {
    const piece = this.#left > 0 ? (await this.#bytes.peek(1)).subarray(0, this.#left) : new Uint8Array(0);
    this.#bytes.advance(piece.length);
    this.#left -= piece.length;
    return piece;
  }

  /** Makes the body last until the end of the file. */
  readToEnd(): void {
    this.#left = Number.POSITIVE_INFINITY;
  }

  #paddingAfter(size: number): number {
    const { alignment } = this.#kind;
    return Number.isFinite(size) ? (alignment - (size % alignment)) % alignment : 0;
  }
}

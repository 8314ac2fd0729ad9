const NOTHING: Uint8Array = new Uint8Array(0);

/**
 * Reads a byte stream forwards, with look-ahead. Takes a piece of the source only when the buffered bytes do not suffice. Until
 * {@link release} all pieces are kept, so that another reader can start over.
 */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #kept: Uint8Array[] | undefined = [];
  /** The unread bytes are those from `#start` to `#end`; a view of them stays valid, as bytes are never moved in place. */
  #buffer = NOTHING;
  #start = 0;
  #end = 0;
  #position = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Bytes read or skipped so far. */
  get position(): number {
    return this.#position;
  }

  /** Resolves with all buffered bytes, which are at least the wanted number, unless the source ends before. */
  async peek(wanted: number): Promise<Uint8Array> {
    while (this.#end - this.#start < wanted && (await this.#takePiece()));
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** Moves past bytes that have been peeked. */
  advance(bytes: number): void {
    this.#start += bytes;
    this.#position += bytes;
  }

  /** Resolves with the next bytes; fewer than wanted at the end of the source. */
  async read(wanted: number): Promise<Uint8Array> {
    const bytes = (await this.peek(wanted)).subarray(0, wanted);
    this.advance(bytes.length);
    return bytes;
  }

  /** Skips bytes without buffering them. Resolves with the number of bytes that are missing at the end of the source. */
  async skip(count: number): Promise<number> {
    let left = count;
    while (left > 0) {
      const { length } = await this.peek(1);
      if (length === 0) break;
      const part = Math.min(left, length);
      this.advance(part);
      left -= part;
    }
    return left;
  }

  /** Resolves with the buffered bytes, or else the next piece; empty at the end of the source. */
  async readPiece(): Promise<Uint8Array> {
    const bytes = await this.peek(1);
    this.advance(bytes.length);
    return bytes;
  }

  /** Stops keeping the bytes that have been read. */
  release(): void {
    this.#kept = undefined;
  }

  /** Forgets the bytes that have been read: the unread bytes become the first of {@link fromStart}. */
  keepUnread(): void {
    this.#kept = [this.#buffer.subarray(this.#start, this.#end)];
  }

  /** Yields all bytes again, from the first one that is kept. The reader must not be used afterwards. */
  async *fromStart(): AsyncGenerator<Uint8Array> {
    const kept = this.#kept ?? [];
    this.#kept = undefined;
    this.#buffer = NOTHING;
    yield* kept;
    yield* { [Symbol.asyncIterator]: () => this.#source };
  }

  /** Ends the source. Does not wait for it, as it may be silent. */
  close(): void {
    Promise.resolve(this.#source.return?.()).catch(() => {});
  }

  async #takePiece(): Promise<boolean> {
    const { done, value: piece } = await this.#source.next();
    if (done) return false;
    this.#kept?.push(piece);
    const unread = this.#end - this.#start;
    // A piece of the source is full, so that nothing is ever written to it.
    if (unread === 0) {
      this.#buffer = piece;
      this.#start = 0;
      this.#end = piece.length;
      return true;
    }
    if (this.#end + piece.length > this.#buffer.length) this.#grow(unread + piece.length);
    this.#buffer.set(piece, this.#end);
    this.#end += piece.length;
    return true;
  }

  #grow(bytes: number): void {
    const grown = new Uint8Array(2 * bytes);
    grown.set(this.#buffer.subarray(this.#start, this.#end));
    this.#end -= this.#start;
    this.#start = 0;
    this.#buffer = grown;
  }
}

/** Returns a view for reading numbers. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns whether bytes contain an ASCII text at an offset. */
export function hasText(bytes: Uint8Array, text: string, at = 0): boolean {
  if (bytes.length < at + text.length) return false;
  for (let i = 0; i < text.length; i++) {
    if (bytes[at + i] !== text.charCodeAt(i)) return false;
  }
  return true;
}

/** Returns the offset of a byte sequence, from an offset on; or that of its possible beginning at the end of the bytes. */
export function findBytes(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(wanted[0]!, from); at !== -1; at = bytes.indexOf(wanted[0]!, at + 1)) {
    const part = bytes.subarray(at, at + wanted.length);
    if (part.every((byte, i) => byte === wanted[i])) return at;
  }
  return bytes.length;
}

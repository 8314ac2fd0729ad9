const HEAD_END = '\r\n\r\n';

/** A unit that passes as a whole: the answer to a handshake, a WebSocket frame, or a chunk of any other protocol. */
export interface DownFrame {
  readonly bytes: Buffer;
  /** True when a message of text or bytes ends with it. */
  readonly endsMessage: boolean;
}

/** Cuts what a service says into frames. */
export class DownFrames {
  #mode: 'start' | 'frames' | 'raw' = 'start';
  #rest = Buffer.alloc(0);

  /** The frames that are whole with these bytes. */
  *push(chunk: Buffer): Generator<DownFrame> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (let length = this.#nextLength(); length !== undefined; length = this.#nextLength()) {
      const bytes = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      const endsMessage = this.#mode === 'frames' && endsMessageOf(bytes);
      if (this.#mode === 'start') this.#mode = bytes.includes(HEAD_END) ? 'frames' : 'raw';
      yield { bytes, endsMessage };
    }
  }

  #nextLength(): number | undefined {
    const { length } = this.#rest;
    if (length === 0) return undefined;
    if (this.#mode === 'frames') return frameLength(this.#rest);
    if (this.#mode === 'raw' || !this.#rest.toString('latin1', 0, 5).startsWith('HTTP/')) return length;
    const end = this.#rest.indexOf(HEAD_END);
    return end < 0 ? undefined : end + HEAD_END.length;
  }
}

/** The length of the first frame, unless it is not whole. Frames of a service are not masked (RFC 6455, section 5.2). */
function frameLength(bytes: Buffer): number | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes[1]! & 0x7f;
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < head) return undefined;
  const payload =
    short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return bytes.length < head + payload ? undefined : head + payload;
}

/** Returns whether a frame is the last of a message, and no control frame. */
function endsMessageOf(frame: Buffer): boolean {
  return (frame[0]! & 0x80) !== 0 && (frame[0]! & 0x08) === 0;
}

/** The close frame of a service. */
export function closeFrame(code: number, reason = ''): Buffer {
  const text = Buffer.from(reason);
  return Buffer.from([0x88, 2 + text.length, code >> 8, code & 0xff, ...text]);
}

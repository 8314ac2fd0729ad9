/** The frames of one direction of a WebSocket connection (RFC 6455, section 5.2), of which no more than a part of a head waits. */
import { RxscribeError } from '../../base/errors.ts';
import { FAULT_SERVER_LIMITS } from '../play/server/faultServer.ts';

/** Kinds of messages. A continuation, 0, has the kind of its message. */
export const OPCODE = { text: 1, binary: 2, close: 8 } as const;

/** A whole message. */
export interface ScannedMessage {
  readonly opcode: number;
  /** Empty unless messages are kept. */
  readonly payload: Buffer;
}

/** A part of a frame. */
export interface FramePart {
  /** Bytes on the wire. */
  readonly bytes: Buffer;
  readonly opcode: number;
  readonly payloadBytes: number;
  /** The message that ends here. */
  readonly message?: ScannedMessage;
}

interface Frame {
  readonly opcode: number;
  readonly isLast: boolean;
  readonly headBytes: number;
  readonly mask: Buffer;
  readonly length: number;
  left: number;
}

const NONE = Buffer.alloc(0);

export class FrameScanner {
  readonly #keepsMessages: boolean;
  #head: Buffer = NONE;
  #frame: Frame | undefined;
  #opcode = 0;
  #messageBytes = 0;
  #data: Buffer[] = [];
  #control: Buffer[] = [];

  constructor({ keepsMessages }: { readonly keepsMessages: boolean }) {
    this.#keepsMessages = keepsMessages;
  }

  /** False within a frame. */
  get isBetweenFrames(): boolean {
    return this.#frame === undefined;
  }

  /** Returns the parts in the bytes. @throws RxscribeError `overflow` for a message that is too long */
  *push(chunk: Buffer): Generator<FramePart> {
    let rest = Buffer.concat([this.#head, chunk]);
    this.#head = NONE;
    while (rest.length > 0) {
      const begun = this.#frame;
      const frame = begun ?? this.#begin(rest);
      if (!frame) {
        this.#head = rest;
        return;
      }
      const from = begun ? 0 : frame.headBytes;
      const end = Math.min(rest.length, from + frame.left);
      yield this.#part(frame, rest.subarray(0, end), rest.subarray(from, end));
      rest = rest.subarray(end);
    }
  }

  #begin(bytes: Buffer): Frame | undefined {
    const frame = frameOf(bytes);
    if (!frame || frame.opcode >= OPCODE.close) return frame;
    if (frame.opcode !== 0) this.#opcode = frame.opcode;
    this.#messageBytes += frame.length;
    const { messageBytes: most } = FAULT_SERVER_LIMITS;
    if (this.#messageBytes > most)
      throw new RxscribeError('overflow', `A message has more than ${most} bytes.`);
    return { ...frame, opcode: this.#opcode };
  }

  #part(frame: Frame, bytes: Buffer, masked: Buffer): FramePart {
    const { opcode, mask, length, left } = frame;
    const kept = opcode >= OPCODE.close ? this.#control : this.#data;
    if (this.#keepsMessages) kept.push(unmasked(masked, mask, length - left));
    frame.left -= masked.length;
    this.#frame = frame.left > 0 ? frame : undefined;
    const part = { bytes, opcode, payloadBytes: masked.length };
    if (frame.left > 0 || !frame.isLast) return part;
    if (opcode < OPCODE.close) this.#messageBytes = 0;
    return { ...part, message: { opcode, payload: Buffer.concat(kept.splice(0)) } };
  }
}

/** Returns the frame whose head begins the bytes; undefined while a part of the head is missing. */
function frameOf(bytes: Buffer): Frame | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const short = second & 0x7f;
  const sizeBytes = short < 126 ? 0 : short === 126 ? 2 : 8;
  const headBytes = 2 + sizeBytes + (second & 0x80 ? 4 : 0);
  if (bytes.length < headBytes) return undefined;
  const long = () => (sizeBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2)));
  const length = sizeBytes === 0 ? short : long();
  const mask = bytes.subarray(2 + sizeBytes, headBytes);
  return { opcode: first & 0x0f, isLast: first >= 0x80, headBytes, mask, length, left: length };
}

function unmasked(bytes: Buffer, mask: Buffer, from: number): Buffer {
  return mask.length === 0
    ? bytes
    : Buffer.from(bytes.map((byte, at) => byte ^ (mask[(from + at) & 3] ?? 0)));
}

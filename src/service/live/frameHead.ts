import { CLOSE, END_OF_STREAM } from '../../protocol/closeCodes.ts';
import { ENDINGS, type Ending } from './ending.ts';

/** The head of a WebSocket frame (RFC 6455, section 5.2). */
export interface FrameHead {
  readonly opcode: number;
  /** True for the last frame of its message. */
  readonly isLast: boolean;
  /** Bytes of the payload. */
  readonly length: number;
}

const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Two bytes, eight of length, four of mask. */
export const MAX_HEAD_BYTES = 14;
/** Bytes of the mask, which ends the head. */
export const MASK_BYTES = 4;
const MAX_CONTROL_BYTES = 125;

export function isControl(opcode: number): boolean {
  return opcode >= OPCODE.close;
}

/** Returns whether a client may send a head with these two first bytes: masked, no extension, short control frames. */
export function isValidHead(head: DataView): boolean {
  const [first, second] = [head.getUint8(0), head.getUint8(1)];
  const opcode = first & 0x0f;
  const isKnown = opcode <= OPCODE.binary || (opcode >= OPCODE.close && opcode <= OPCODE.pong);
  const isMasked = (second & 0x80) !== 0;
  const isShort = (first & 0x80) !== 0 && (second & 0x7f) <= MAX_CONTROL_BYTES;
  return isKnown && (first & 0x70) === 0 && isMasked && (isShort || !isControl(opcode));
}

/** Returns the length of a head from its first two bytes. */
export function headLength(head: DataView): number {
  const code = head.getUint8(1) & 0x7f;
  return 2 + (code === 127 ? 8 : code === 126 ? 2 : 0) + MASK_BYTES;
}

/** Reads a complete head. */
export function readHead(head: DataView): FrameHead {
  const first = head.getUint8(0);
  return { opcode: first & 0x0f, isLast: (first & 0x80) !== 0, length: payloadLength(head) };
}

/** Returns the length of the payload, exact up to 2^53, far above every limit. */
function payloadLength(head: DataView): number {
  const code = head.getUint8(1) & 0x7f;
  if (code < 126) return code;
  return code === 126 ? head.getUint16(2) : Number(head.getBigUint64(2));
}

/** The destination of a payload: the recogniser, the WebSocket library, or none. */
export type FrameRoute = 'audio' | 'protocol' | 'none';

/**
 * Creates the rules for the frames of one client: a function that decides, by the head of each frame, on its destination or on
 * the end of the stream. Text longer than the end of the stream, and messages beyond the limit, are refused by their heads
 * alone.
 *
 * @param messageBytes maximum bytes of a message of audio
 */
export function createFrameRules(messageBytes: number): (frame: FrameHead) => FrameRoute | Ending {
  /** Kind of the message whose frames are incomplete. */
  let open: 'audio' | 'text' | undefined;
  let bytes = 0;
  return ({ opcode, isLast, length }) => {
    // The bytes of a pong are enough: they show that the client is alive.
    if (isControl(opcode)) return opcode === OPCODE.pong ? 'none' : 'protocol';
    const isStart = opcode !== OPCODE.continuation;
    if (isStart === (open !== undefined)) return ENDINGS.protocolError;
    const kind = isStart ? (opcode === OPCODE.binary ? 'audio' : 'text') : open;
    bytes = isStart ? length : bytes + length;
    open = isLast ? undefined : kind;
    if (kind === 'text') return bytes > END_OF_STREAM.length ? ENDINGS.unexpectedText : 'protocol';
    if (bytes <= messageBytes) return 'audio';
    return { rule: CLOSE.messageTooBig, why: `at most ${messageBytes} bytes`, flush: 'all' };
  };
}

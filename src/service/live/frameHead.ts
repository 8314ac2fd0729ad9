import { CLOSE, END_OF_STREAM } from '../../protocol/closeCodes.ts';
import { ENDINGS, type Ending } from './ending.ts';

/** The head of a WebSocket frame (RFC 6455, section 5.2). */
export interface FrameHead {
  readonly opcode: number;
  /** The last frame of its message. */
  readonly isLast: boolean;
  /** Bytes of the payload. */
  readonly length: number;
}

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Two bytes, eight of length, four of the mask. */
export const MAX_HEAD_BYTES = 14;
/** The mask is the end of the head. */
export const MASK_BYTES = 4;
const MAX_CONTROL_BYTES = 125;

export function isControl(opcode: number): boolean {
  return opcode >= OPCODE.close;
}

/** Whether the first two bytes of a head are such as a client may send: masked, no extension, short control frames. */
export function isSound(head: Uint8Array): boolean {
  const opcode = head[0]! & 0x0f;
  const isKnown = opcode <= OPCODE.binary || (opcode >= OPCODE.close && opcode <= OPCODE.pong);
  const isMasked = (head[1]! & 0x80) !== 0;
  const isShort = (head[0]! & 0x80) !== 0 && (head[1]! & 0x7f) <= MAX_CONTROL_BYTES;
  return isKnown && (head[0]! & 0x70) === 0 && isMasked && (isShort || !isControl(opcode));
}

/** Bytes of a head, by its first two. */
export function headLength(head: Uint8Array): number {
  const code = head[1]! & 0x7f;
  return 2 + (code === 127 ? 8 : code === 126 ? 2 : 0) + MASK_BYTES;
}

/** Reads a head that is complete. */
export function readHead(head: Uint8Array): FrameHead {
  return { opcode: head[0]! & 0x0f, isLast: (head[0]! & 0x80) !== 0, length: payloadLength(head) };
}

/** Exact up to 2^53, far above every limit. */
function payloadLength(head: Uint8Array): number {
  const code = head[1]! & 0x7f;
  if (code < 126) return code;
  let length = 0;
  const end = code === 126 ? 4 : 10;
  for (let at = 2; at < end; at++) length = length * 256 + head[at]!;
  return length;
}

/** Where the payload of a frame goes: to the recogniser, to the WebSocket library, or nowhere. */
export type FrameWay = 'audio' | 'protocol' | 'nowhere';

/** Says of each frame by its head where it goes, or that the stream ends with it. */
export interface FrameRules {
  next(frame: FrameHead): FrameWay | Ending;
}

/**
 * The rules for the frames of one client. A text longer than the end of the stream and a message beyond the limit are
 * refused by their heads alone.
 *
 * @param messageBytes bytes that a message of audio may have
 */
export function createFrameRules(messageBytes: number): FrameRules {
  /** The message of which more frames are to come. */
  let open: 'audio' | 'text' | undefined;
  let bytes = 0;
  return {
    next({ opcode, isLast, length }) {
      // Of a pong the bytes are enough: they show that the client lives.
      if (isControl(opcode)) return opcode === OPCODE.pong ? 'nowhere' : 'protocol';
      const isStart = opcode !== OPCODE.continuation;
      if (isStart === (open !== undefined)) return ENDINGS.protocolError;
      const kind = isStart ? (opcode === OPCODE.binary ? 'audio' : 'text') : open;
      bytes = isStart ? length : bytes + length;
      open = isLast ? undefined : kind;
      if (kind === 'text') return bytes > END_OF_STREAM.length ? ENDINGS.unexpectedText : 'protocol';
      if (bytes <= messageBytes) return 'audio';
      return { rule: CLOSE.messageTooBig, why: `wanted at most ${messageBytes} bytes`, flush: true };
    },
  };
}

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

import { hkdfSync } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { RxscribeError } from '../../base/errors.ts';
import { Seal, TAG_BYTES } from './seal.ts';
import type { Chunk } from './spool.ts';

/** Types of records of a spool, and their numbers in the file. */
const TYPES = {
  /** The process that writes from here on. Never sealed: the key of the following records derives from it. */
  writer: 1,
  subject: 2,
  note: 3,
  /** The first frame, in 6 bytes, and audio. Without audio it marks the position of the source. */
  audio: 4,
  /** Marks that the writer has closed the file: another process may take it over. Never sealed. */
  left: 5,
} as const;

export type RecordType = keyof typeof TYPES;

const TYPE_OF: readonly (RecordType | undefined)[] = Object.entries(TYPES).reduce<RecordType[]>(
  (types, [type, number]) => Object.assign(types, { [number]: type }),
  [],
);

/** Bytes of the longest body: far more than the text of the longest job, or one block of a source. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** Length of the body (4 bytes), its number under its key (6), type (1), checksum of these (4). */
export const HEAD_BYTES = 15;

const CRC_BYTES = 4;

export interface RecordHead {
  readonly bytes: Uint8Array;
  readonly bodyBytes: number;
  readonly number: number;
  readonly type: RecordType;
}

/** A protection of records against damage. */
export interface RecordCodec {
  /** Returns head and body. */
  encode(type: RecordType, payload: Uint8Array): Buffer;
  /** @throws RxscribeError `store` when it was changed */
  decode(head: RecordHead, body: Uint8Array): Uint8Array;
}

/** Decodes the head of a record; undefined when it is damaged, so that the start of the next record is unknown. */
export function decodeHead(bytes: Uint8Array): RecordHead | undefined {
  const type = TYPE_OF[bytes[10]!];
  if (!type) return undefined;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, HEAD_BYTES);
  const bodyBytes = view.readUInt32LE(0);
  if (bodyBytes > MAX_BODY_BYTES || view.readUInt32LE(11) !== crc32(view.subarray(0, 11))) return undefined;
  return { bytes: view, bodyBytes, number: view.readUIntLE(4, 6), type };
}

function encodeHead(type: RecordType, number: number, bodyBytes: number): Buffer {
  if (bodyBytes > MAX_BODY_BYTES) {
    throw new RxscribeError(
      'store',
      `Cannot write a record of ${bodyBytes} bytes: the maximum is ${MAX_BODY_BYTES}.`,
    );
  }
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(bodyBytes, 0);
  head.writeUIntLE(number, 4, 6);
  head[10] = TYPES[type];
  head.writeUInt32LE(crc32(head.subarray(0, 11)), 11);
  return head;
}

/** A codec that adds a checksum: it detects damage and encrypts nothing. */
export const plainCodec: RecordCodec = {
  encode(type, payload) {
    const checksum = Buffer.alloc(CRC_BYTES);
    checksum.writeUInt32LE(crc32(payload));
    return Buffer.concat([encodeHead(type, 0, payload.length + CRC_BYTES), payload, checksum]);
  },
  decode(_, body) {
    const end = body.length - CRC_BYTES;
    const payload = body.subarray(0, Math.max(0, end));
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    if (end < 0 || view.getUint32(end, true) !== crc32(payload)) {
      throw new RxscribeError('store', 'Cannot read a record: its checksum is wrong.');
    }
    return payload;
  },
};

/**
 * Creates a codec that seals bodies with AES-256-GCM. Each writer has its own key, derived from the key of the spool and a
 * random salt (HKDF with SHA-256, RFC 5869), and counts what it seals: no nonce is used twice, however often a spool is
 * opened or rewritten.
 */
export function sealedCodec(key: Uint8Array, salt: Uint8Array, header: string): RecordCodec {
  const seal = new Seal(new Uint8Array(hkdfSync('sha256', key, salt, header, 32)));
  return {
    encode(type, payload) {
      const head = encodeHead(type, seal.count, payload.length + TAG_BYTES);
      return Buffer.concat([head, seal.seal(payload, head)]);
    },
    decode: (head, body) => seal.open(body, head.number, head.bytes),
  };
}

const FRAME_BYTES = 6;

/** Encodes audio as the payload of a record: its first frame, then its bytes. */
export function encodeAudio({ startFrame, bytes }: Pick<Chunk, 'startFrame' | 'bytes'>): Uint8Array {
  const payload = Buffer.alloc(FRAME_BYTES + bytes.length);
  payload.writeUIntLE(startFrame, 0, FRAME_BYTES);
  payload.set(bytes, FRAME_BYTES);
  return payload;
}

/** Decodes the payload of an audio record; undefined when it has no whole frames. */
export function decodeAudio(payload: Uint8Array, frameBytes: number): Chunk | undefined {
  const audioBytes = payload.length - FRAME_BYTES;
  if (audioBytes < 0 || audioBytes % frameBytes !== 0) return undefined;
  const view = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  const bytes = payload.subarray(FRAME_BYTES);
  return { startFrame: view.readUIntLE(0, FRAME_BYTES), frames: bytes.length / frameBytes, bytes };
}

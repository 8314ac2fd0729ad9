import { hkdfSync } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { RxscribeError } from '../../base/errors.ts';
import { Seal, TAG_BYTES } from './seal.ts';

/** What a record of a spool may be, and the number of that in the file. */
const TYPES = {
  /** Who writes from here on. Never sealed: it has what the key of what follows is made of. */
  writer: 1,
  subject: 2,
  note: 3,
  /** The first frame, in 6 bytes, and audio; without audio it says how far the source has come. */
  audio: 4,
  /** The writer has closed it: another one may go on. Never sealed. */
  left: 5,
} as const;

export type RecordType = keyof typeof TYPES;

const TYPE_OF: readonly (RecordType | undefined)[] = Object.entries(TYPES).reduce<RecordType[]>(
  (types, [type, number]) => Object.assign(types, { [number]: type }),
  [],
);

/** Far more than the text of the longest job, and than what a source gives at once. */
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

/** How it is made sure that a record is as it was written. */
export interface RecordCodec {
  /** Head and body. */
  encode(type: RecordType, payload: Uint8Array): Buffer;
  /** @throws RxscribeError `store` when it was changed */
  decode(head: RecordHead, body: Uint8Array): Uint8Array;
}

/** Undefined when it is damaged: where the next record begins is not known then. */
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
      `write a record: wanted at most ${MAX_BODY_BYTES} bytes, found ${bodyBytes}`,
    );
  }
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(bodyBytes, 0);
  head.writeUIntLE(number, 4, 6);
  head[10] = TYPES[type];
  head.writeUInt32LE(crc32(head.subarray(0, 11)), 11);
  return head;
}

/** A checksum behind the payload: it finds damage, and hides nothing. */
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
      throw new RxscribeError('store', 'read a record: its checksum is another one');
    }
    return payload;
  },
};

/**
 * Bodies sealed with AES-256-GCM. Each writer has a key of its own, made of the key of the spool and a random salt (HKDF
 * with SHA-256, RFC 5869), and counts what it seals: no nonce is used twice, however often a spool is opened or rewritten.
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

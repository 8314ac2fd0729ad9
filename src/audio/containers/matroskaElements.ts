import type { ByteReader } from './byteReader.ts';
import type { DamageLog } from './nativeAudio.ts';
import { beginsRecording } from './sniff.ts';

/** Names of the elements that are read, by their ids. */
export const ELEMENT = {
  ebml: 0x1a45dfa3,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  contentEncodings: 0x6d80,
  audio: 0xe1,
  samplingFrequency: 0xb5,
  channels: 0x9f,
  bitDepth: 0x6264,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  discardPadding: 0x75a2,
} as const;

/** An element with its body. */
export interface Element {
  readonly id: number;
  readonly body: Uint8Array;
}

/** Elements whose children are read one by one. Only these may be of unknown size. */
const OPENED: readonly number[] = [ELEMENT.segment, ELEMENT.cluster];
/** Elements whose body is needed. */
const READ: readonly number[] = [ELEMENT.info, ELEMENT.tracks, ELEMENT.simpleBlock, ELEMENT.blockGroup];
/** Largest body that is read; blocks of audio are much smaller, larger ones are pictures. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Elements that can be in a cluster or follow it, `Void`, `CRC-32`, `Cues`, `Tags` and positions among them. */
const IN_CLUSTER: readonly number[] = [
  ...[ELEMENT.cluster, ELEMENT.simpleBlock, ELEMENT.blockGroup, ELEMENT.timestamp],
  ...[0xec, 0xbf, 0xa7, 0xab, 0x5854, 0xaf, 0x1c53bb6b, 0x1254c367, 0x114d9b74, 0x1941a469, 0x1043a770],
  ...[ELEMENT.info, ELEMENT.tracks, ELEMENT.segment, ELEMENT.ebml],
];
/** Elements with which reading continues after damage. */
const RESYNC: readonly number[] = [ELEMENT.cluster, ELEMENT.simpleBlock, ELEMENT.blockGroup, ELEMENT.ebml];
/** Bytes that are searched at once for such an element. */
const RESYNC_BYTES = 64 * 1024;

/**
 * Yields the elements of a Matroska file that are needed to decode audio, in order, up to the end or another recording. After bytes that are no element, which are
 * added to the log, reading continues with the next block or cluster.
 *
 * Source: RFC 8794 (EBML) and RFC 9559 (Matroska).
 */
export async function* readElements(bytes: ByteReader, log: DamageLog): AsyncGenerator<Element> {
  /** Bytes until the end of the cluster; unknown, thus infinite, for live recordings. */
  let left = Number.POSITIVE_INFINITY;
  let isInCluster = false;
  for (;;) {
    const window = await bytes.peek(12);
    if (window.length === 0) return;
    const header = elementHeader(window);
    const isKnown = header && (!isInCluster || IN_CLUSTER.includes(header.id));
    const isNext = header?.id === ELEMENT.ebml || (!isKnown && beginsRecording(window));
    if (isInCluster && isNext) return;
    const total = header && header.headerBytes + (OPENED.includes(header.id) ? 0 : header.size);
    if (!isKnown || total! > left) {
      if (window.length < 12) break;
      if (!header || header.id !== ELEMENT.cluster) log.add();
      left = Number.POSITIVE_INFINITY;
      await skipDamage(bytes);
      continue;
    }
    const { id, size, headerBytes } = header;
    left = left === total ? Number.POSITIVE_INFINITY : left - total!;
    bytes.advance(headerBytes);
    if (id === ELEMENT.cluster) {
      left = size;
      isInCluster = true;
    }
    if (OPENED.includes(id)) continue;
    if (READ.includes(id) && size <= MAX_BODY_BYTES) {
      const body = await bytes.read(size);
      if (body.length < size) break;
      yield { id, body };
    } else if ((await bytes.skip(size)) > 0) break;
  }
  await bytes.skip(Number.POSITIVE_INFINITY);
  log.missingEnd = 'its last block is incomplete';
}

/** Skips to the next cluster, or to the next block that another element follows. */
async function skipDamage(bytes: ByteReader): Promise<void> {
  for (let from = 1; ; from = 0) {
    const window = await bytes.peek(RESYNC_BYTES);
    const isEnd = window.length < RESYNC_BYTES;
    // A block beyond the window is not found; blocks of audio are small.
    const end = isEnd ? window.length : window.length >> 1;
    const at = window.subarray(0, end).findIndex((_, i) => i >= from && isElement(window, i, isEnd));
    bytes.advance(at === -1 ? end : at);
    if (at !== -1 || isEnd) return;
  }
}

/** Returns whether bytes are a part of a recording after its beginning. */
export function isMatroskaPart(bytes: Uint8Array): boolean {
  return isElement(bytes, 0, false);
}

function isElement(window: Uint8Array, at: number, isEnd: boolean): boolean {
  const header = elementHeader(window.subarray(at, at + 12));
  if (!header || !RESYNC.includes(header.id)) return false;
  if (header.id === ELEMENT.cluster) return true;
  const end = at + header.headerBytes + header.size;
  const next = elementHeader(window.subarray(end, end + 12));
  return next ? IN_CLUSTER.includes(next.id) : isEnd && end === window.length;
}

interface ElementHeader {
  readonly id: number;
  readonly size: number;
  readonly headerBytes: number;
}

/** Parses the id and the size of an element. Undefined for anything else. */
function elementHeader(bytes: Uint8Array): ElementHeader | undefined {
  const id = readVint(bytes, 0, true);
  if (!id || id.length > 4) return undefined;
  const size = readVint(bytes, id.length);
  if (!size) return undefined;
  if (size.value === Number.POSITIVE_INFINITY && !OPENED.includes(id.value)) return undefined;
  return { id: id.value, size: size.value, headerBytes: id.length + size.length };
}

/** Parses a number of variable length; infinite when all its bits are ones, which means that it is unknown. */
export function readVint(
  bytes: Uint8Array,
  at: number,
  keepsMarker = false,
): { readonly value: number; readonly length: number } | undefined {
  const [first = 0] = bytes.subarray(at, at + 1);
  const length = Math.clz32(first << 24) + 1;
  if (length > 8 || at + length > bytes.length) return undefined;
  let value = keepsMarker ? first : first & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (const byte of bytes.subarray(at + 1, at + length)) {
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value: isUnknown && !keepsMarker ? Number.POSITIVE_INFINITY : value, length };
}

/** Yields the elements in a body, as far as they are whole. */
export function* elementsIn(body: Uint8Array): Generator<Element> {
  for (let at = 0; at < body.length; ) {
    const header = elementHeader(body.subarray(at, at + 12));
    if (!header) return;
    const start = at + header.headerBytes;
    at = start + header.size;
    if (at > body.length) return;
    yield { id: header.id, body: body.subarray(start, at) };
  }
}

/** Returns an unsigned integer of up to 8 bytes. */
export function unsignedOf(body: Uint8Array): number {
  return body.reduce((value, byte) => value * 256 + byte, 0);
}

/** Returns a signed integer of up to 8 bytes. */
export function signedOf(body: Uint8Array): number {
  const value = unsignedOf(body);
  const range = 256 ** body.length;
  return value < range / 2 ? value : value - range;
}

/** Returns a float of 4 or 8 bytes; 0 for an empty one. */
export function floatOf(body: Uint8Array): number {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  return body.length === 4 ? view.getFloat32(0) : body.length === 8 ? view.getFloat64(0) : 0;
}

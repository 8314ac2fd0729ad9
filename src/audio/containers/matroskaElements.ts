import { type ByteReader, findBytes } from './byteReader.ts';

/** Names of the elements that are read, by their ids. */
export const ELEMENT = {
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

/** Elements that are not read as a whole: what they contain comes one by one. Only these may be of unknown size. */
const OPENED: readonly number[] = [ELEMENT.segment, ELEMENT.cluster];
/** Elements of which the body is needed. */
const READ: readonly number[] = [ELEMENT.info, ELEMENT.tracks, ELEMENT.simpleBlock, ELEMENT.blockGroup];
/** Largest body that is read; blocks of audio are much smaller, larger ones are pictures. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const CLUSTER_ID = Uint8Array.of(0x1f, 0x43, 0xb6, 0x75);

/** What {@link readElements} found besides elements. */
export interface ElementFaults {
  onDamage(): void;
  /** Called at the end when the last element is incomplete. */
  onCut(): void;
}

/**
 * Yields the elements of a Matroska file that are needed to decode audio, in order. After bytes that are no element it goes on
 * with the next cluster.
 *
 * Source: RFC 8794 (EBML) and RFC 9559 (Matroska).
 */
export async function* readElements(bytes: ByteReader, faults: ElementFaults): AsyncGenerator<Element> {
  /** Bytes until the end of the cluster; unknown, thus infinite, for live recordings. */
  let left = Number.POSITIVE_INFINITY;
  for (;;) {
    const window = await bytes.peek(12);
    if (window.length === 0) return;
    const header = elementHeader(window);
    const total = header && header.headerBytes + (OPENED.includes(header.id) ? 0 : header.size);
    if (!header || total! > left) {
      if (window.length < 12) return faults.onCut();
      if (!header || header.id !== ELEMENT.cluster) faults.onDamage();
      left = Number.POSITIVE_INFINITY;
      await skipToCluster(bytes);
      continue;
    }
    const { id, size, headerBytes } = header;
    left = left === total ? Number.POSITIVE_INFINITY : left - total!;
    bytes.advance(headerBytes);
    if (id === ELEMENT.cluster) left = size;
    if (OPENED.includes(id)) continue;
    if (READ.includes(id) && size <= MAX_BODY_BYTES) {
      const body = await bytes.read(size);
      if (body.length < size) return faults.onCut();
      yield { id, body };
    } else if ((await bytes.skip(size)) > 0) return faults.onCut();
  }
}

async function skipToCluster(bytes: ByteReader): Promise<void> {
  for (;;) {
    bytes.advance(findBytes(await bytes.peek(1 + CLUSTER_ID.length), CLUSTER_ID, 1));
    const found = await bytes.peek(CLUSTER_ID.length);
    if (found.length < CLUSTER_ID.length || CLUSTER_ID.every((byte, i) => found[i] === byte)) return;
  }
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
  const length = Math.clz32(bytes[at]! << 24) + 1;
  if (length > 8 || at + length > bytes.length) return undefined;
  let value = keepsMarker ? bytes[at]! : bytes[at]! & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (let i = 1; i < length; i++) {
    value = value * 256 + bytes[at + i]!;
    isUnknown &&= bytes[at + i] === 0xff;
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
  return body[0]! > 127 ? value - 256 ** body.length : value;
}

/** Returns a float of 4 or 8 bytes; 0 for an empty one. */
export function floatOf(body: Uint8Array): number {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  return body.length === 4 ? view.getFloat32(0) : body.length === 8 ? view.getFloat64(0) : 0;
}

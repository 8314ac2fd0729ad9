import { type ByteReader, findBytes, hasText, viewOf } from './byteReader.ts';
import { oggChecksum } from './checksums.ts';
import type { DamageLog } from './nativeAudio.ts';
import { beginsRecording } from './sniff.ts';

/** A page of Ogg whose checksum is right. */
export interface OggPage {
  readonly serial: number;
  readonly sequence: number;
  readonly isContinued: boolean;
  /** Marks the first and the last page of a stream. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Position at the end of the last packet that ends on this page, in the unit of the codec; undefined if none ends. */
  readonly granule: number | undefined;
  /** Parts of packets; the last one continues in the next page unless {@link endsWhole}. */
  readonly parts: readonly Uint8Array[];
  readonly endsWhole: boolean;
}

const CAPTURE = Buffer.from('OggS', 'latin1');
const HEADER_BYTES = 27;

/**
 * Yields the pages of an Ogg stream, up to the end or a recording in another container. Bytes that are no intact page are passed
 * over, and added to the log.
 *
 * Source: RFC 3533.
 */
export async function* readOggPages(bytes: ByteReader, log: DamageLog): AsyncGenerator<OggPage> {
  let isCut = false;
  for (;;) {
    const head = await bytes.peek(HEADER_BYTES);
    if (head.length === 0) break;
    const size = (await pageBytes(bytes)) ?? 0;
    const window = await bytes.peek(size || 1);
    isCut = window.length < size;
    const page = size > 0 && !isCut ? parsePage(window.subarray(0, size)) : undefined;
    if (!page) {
      if (!hasText(head, 'OggS') && beginsRecording(head)) break;
      const skipped = findBytes(window, CAPTURE, 1);
      log.skip(window.subarray(0, skipped));
      bytes.advance(skipped);
      continue;
    }
    log.resume();
    bytes.advance(size);
    yield page;
  }
  if (isCut) log.missingEnd = 'its last page is incomplete';
  else log.end();
}

/** Resolves with the size of the page at the current position, or undefined when no page begins there. */
async function pageBytes(bytes: ByteReader): Promise<number | undefined> {
  const head = await bytes.peek(HEADER_BYTES);
  if (!hasText(head, 'OggS')) return undefined;
  if (head.length < HEADER_BYTES) return HEADER_BYTES;
  const bodyStart = HEADER_BYTES + viewOf(head).getUint8(26);
  const full = await bytes.peek(bodyStart);
  if (full.length < bodyStart) return bodyStart;
  return full.subarray(HEADER_BYTES, bodyStart).reduce((sum, lacing) => sum + lacing, bodyStart);
}

function parsePage(page: Uint8Array): OggPage | undefined {
  const view = viewOf(page);
  if (view.getUint8(4) !== 0 || view.getUint32(22, true) !== oggChecksum(page)) return undefined;
  const flags = view.getUint8(5);
  const lacings = page.subarray(HEADER_BYTES, HEADER_BYTES + view.getUint8(26));
  const granule = view.getBigInt64(6, true);
  const parts: Uint8Array[] = [];
  let start = HEADER_BYTES + lacings.length;
  let end = start;
  for (const [i, lacing] of lacings.entries()) {
    end += lacing;
    if (lacing === 255 && i < lacings.length - 1) continue;
    parts.push(page.subarray(start, end));
    start = end;
  }
  return {
    serial: view.getUint32(14, true),
    sequence: view.getUint32(18, true),
    isContinued: (flags & 1) !== 0,
    isFirst: (flags & 2) !== 0,
    isLast: (flags & 4) !== 0,
    granule: granule < 0 ? undefined : Number(granule),
    parts,
    endsWhole: lacings.at(-1) !== 255,
  };
}

/**
 * Maximum number of bytes of a packet that are kept; the rest is dropped. Comments with pictures can be longer, and are not
 * read.
 */
const MAX_PACKET_BYTES = 1024 * 1024;

/** Joins the parts of packets that pages of one stream divide. */
export class PacketAssembler {
  readonly #log: DamageLog;
  /** The parts so far of the packet that the next part continues. */
  #open: Uint8Array[] | undefined;
  #openBytes = 0;
  #sequence: number | undefined;

  constructor(log: DamageLog) {
    this.#log = log;
  }

  /** Returns the packets that end on the next page. Packets with a missing page are left out. */
  push({ parts, isContinued, endsWhole, sequence }: OggPage): readonly Uint8Array[] {
    if (this.#sequence !== undefined && sequence !== this.#sequence + 1) {
      this.#log.add();
      this.#open = undefined;
    }
    this.#sequence = sequence;
    if (!isContinued) this.#open = undefined;
    const packets: Uint8Array[] = [];
    for (const [i, part] of parts.entries()) {
      const isRest = i === 0 && isContinued;
      if (isRest && !this.#open) continue;
      if (!isRest) this.#openBytes = 0;
      const open = isRest && this.#open ? this.#open : [];
      if (this.#openBytes < MAX_PACKET_BYTES) open.push(part);
      this.#openBytes += part.length;
      const isWhole = i < parts.length - 1 || endsWhole;
      this.#open = isWhole ? undefined : open;
      if (isWhole) packets.push(open.length === 1 ? part : Buffer.concat(open));
    }
    return packets;
  }
}

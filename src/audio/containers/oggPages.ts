import { type ByteReader, findBytes, hasText, viewOf } from './byteReader.ts';
import { oggChecksum } from './checksums.ts';

/** A page of Ogg whose checksum is right. */
export interface OggPage {
  readonly serial: number;
  readonly sequence: number;
  readonly isContinued: boolean;
  /** Whether it is the first or the last page of its stream. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Position at the end of the last packet that ends on this page, in the unit of the codec; undefined if none ends. */
  readonly granule: number | undefined;
  /** Parts of packets; the last one goes on in the next page unless {@link endsWhole}. */
  readonly parts: readonly Uint8Array[];
  readonly endsWhole: boolean;
}

const CAPTURE = Buffer.from('OggS', 'latin1');
const HEADER_BYTES = 27;

/** Receiver of the faults between pages. */
export interface OggFaults {
  /** Called before the next page for bytes that are no page. */
  onDamage(): void;
  /** Called at the end when the last page is incomplete. */
  onCut(): void;
}

/**
 * Yields the pages of an Ogg stream. Bytes that are no intact page are passed over.
 *
 * Source: RFC 3533.
 */
export async function* readOggPages(bytes: ByteReader, faults: OggFaults): AsyncGenerator<OggPage> {
  let isLost = false;
  let isCut = false;
  for (;;) {
    const head = await bytes.peek(HEADER_BYTES);
    if (head.length === 0) break;
    const size = await pageBytes(bytes);
    const window = await bytes.peek(size ?? 1);
    isCut = size !== undefined && window.length < size;
    const page = size !== undefined && !isCut ? parsePage(window.subarray(0, size)) : undefined;
    if (!page) {
      isLost = true;
      bytes.advance(findBytes(window, CAPTURE, 1));
      continue;
    }
    if (isLost) faults.onDamage();
    isLost = false;
    bytes.advance(size!);
    yield page;
  }
  if (isCut) faults.onCut();
}

/** Resolves with the size of the page at the current position, or undefined when no page begins there. */
async function pageBytes(bytes: ByteReader): Promise<number | undefined> {
  const head = await bytes.peek(HEADER_BYTES);
  if (!hasText(head, 'OggS')) return undefined;
  if (head.length < HEADER_BYTES) return HEADER_BYTES;
  const bodyStart = HEADER_BYTES + head[26]!;
  const full = await bytes.peek(bodyStart);
  if (full.length < bodyStart) return bodyStart;
  return full.subarray(HEADER_BYTES, bodyStart).reduce((sum, lacing) => sum + lacing, bodyStart);
}

function parsePage(page: Uint8Array): OggPage | undefined {
  const view = viewOf(page);
  if (page[4] !== 0 || view.getUint32(22, true) !== oggChecksum(page)) return undefined;
  const lacings = page.subarray(HEADER_BYTES, HEADER_BYTES + page[26]!);
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
    isContinued: (page[5]! & 1) !== 0,
    isFirst: (page[5]! & 2) !== 0,
    isLast: (page[5]! & 4) !== 0,
    granule: granule < 0 ? undefined : Number(granule),
    parts,
    endsWhole: lacings.at(-1) !== 255,
  };
}

/**
 * Most bytes of a packet that are kept; the rest is dropped. Comments with pictures can be longer, and nobody reads them.
 */
const MAX_PACKET_BYTES = 1024 * 1024;

/** Joins the parts of packets that pages of one stream divide. */
export class PacketAssembler {
  readonly #onDamage: () => void;
  #open: Uint8Array[] | undefined;
  #openBytes = 0;
  #sequence: number | undefined;

  constructor(onDamage: () => void) {
    this.#onDamage = onDamage;
  }

  /** Returns the packets that end on the next page. Those of which a page is missing are left out. */
  push({ parts, isContinued, endsWhole, sequence }: OggPage): readonly Uint8Array[] {
    if (this.#sequence !== undefined && sequence !== this.#sequence + 1) {
      this.#onDamage();
      this.#open = undefined;
    }
    this.#sequence = sequence;
    if (!isContinued) this.#open = undefined;
    const packets: Uint8Array[] = [];
    for (const [i, part] of parts.entries()) {
      const isRest = i === 0 && isContinued;
      if (isRest && !this.#open) continue;
      if (!isRest) this.#begin();
      this.#add(part);
      if (i < parts.length - 1 || endsWhole) packets.push(this.#end());
    }
    return packets;
  }

  #begin(): void {
    this.#open = [];
    this.#openBytes = 0;
  }

  #add(part: Uint8Array): void {
    if (this.#openBytes < MAX_PACKET_BYTES) this.#open!.push(part);
    this.#openBytes += part.length;
  }

  #end(): Uint8Array {
    const parts = this.#open!;
    this.#open = undefined;
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }
}

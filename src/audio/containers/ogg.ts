import { Readable } from 'node:stream';
import { ByteReader, hasText, viewOf } from './byteReader.ts';
import { MAX_FLAC_BITS } from './flac.ts';
import { type FlacFormat, parseStreamInfo } from './flacFrame.ts';
import { corrupt, countFrames, DamageLog, type NativeAudio, type Samples, sliceOf } from './nativeAudio.ts';
import { type OggPage, PacketAssembler, readOggPages } from './oggPages.ts';
import {
  createFlacDecoder,
  createOpusDecoder,
  createVorbisDecoder,
  isVorbisHeader,
  OPUS_RATE,
  type PacketDecoder,
} from './packetDecoders.ts';

/**
 * Opens Ogg with Opus, Vorbis or FLAC; of several streams at once the first of these. Streams in a row are read one after
 * another.
 *
 * @throws RxscribeError `audio-corrupt` when there is no intact page
 */
export async function openOgg(bytes: ByteReader): Promise<NativeAudio | undefined> {
  const log = new DamageLog();
  const pages = readOggPages(bytes, log);
  const begun: OggPage[] = [];
  for (;;) {
    const { done, value: page } = await pages.next();
    if (done) break;
    begun.push(page);
    if (!page.isFirst) break;
  }
  if (begun.length === 0) throw corrupt('Ogg', 'it has no intact page');
  // No other program can read it either.
  if (!begun[0]!.isFirst) throw corrupt('Ogg', 'it is a part of a recording without its beginning');
  if (!begun.some(isNative)) return undefined;
  async function* all(): AsyncGenerator<OggPage> {
    yield* begun;
    yield* pages;
  }
  return {
    // Only the last page gives the duration.
    seconds: () => undefined,
    read: () => readStreams(all(), log),
    log,
  };
}

function isNative({ isFirst, parts }: OggPage): boolean {
  return isFirst && parts[0] !== undefined && codecOf(parts[0]) !== undefined;
}

async function* readStreams(pages: AsyncIterable<OggPage>, log: DamageLog): AsyncGenerator<Samples> {
  let stream: OggStream | undefined;
  let isBeginning = false;
  for await (const page of pages) {
    // Streams that are multiplexed all begin before the first other page.
    if (page.isFirst && !isBeginning) {
      stream = undefined;
      isBeginning = true;
    }
    if (isBeginning && !stream && isNative(page)) stream = new OggStream(page.serial, log);
    if (!page.isFirst) {
      if (isBeginning && !stream) log.add();
      isBeginning = false;
    }
    if (stream?.serial === page.serial) yield* stream.read(page);
  }
}

type Codec = 'opus' | 'vorbis' | 'flac';

/** Bytes of the header of FLAC in Ogg before STREAMINFO. */
const OGG_FLAC_HEADER_BYTES = 17;

/** Returns the codec of the stream that begins with a packet; undefined for one that is not read natively. */
function codecOf(head: Uint8Array): Codec | undefined {
  if (hasText(head, 'OpusHead')) return 'opus';
  if (isVorbisHeader(head, 1)) return 'vorbis';
  const isFlac = head[0] === 0x7f && hasText(head, 'FLAC', 1);
  return isFlac && flacFormat(head).bits <= MAX_FLAC_BITS ? 'flac' : undefined;
}

/** Resolves with a decoder for the first header and the last one, which only Vorbis needs. */
async function decoderOf(head: Uint8Array, last: Uint8Array): Promise<PacketDecoder | undefined> {
  const codec = codecOf(head);
  if (codec === 'opus') return createOpusDecoder(head);
  if (codec === 'vorbis') return createVorbisDecoder({ identification: head, setup: last });
  return createFlacDecoder(flacFormat(head));
}

function flacFormat(head: Uint8Array): FlacFormat {
  return parseStreamInfo(head.slice(OGG_FLAC_HEADER_BYTES));
}

/** Decodes one logical stream. */
class OggStream {
  readonly serial: number;
  readonly #log: DamageLog;
  readonly #assembler: PacketAssembler;
  readonly #headers: Uint8Array[] = [];
  #decoder: PacketDecoder | undefined;
  /** Frames that are left to drop at the beginning. */
  #delayFrames = 0;
  /** Granule position of the previous page. */
  #granule: number | undefined;

  constructor(serial: number, log: DamageLog) {
    this.serial = serial;
    this.#log = log;
    this.#assembler = new PacketAssembler(log);
  }

  /** Yields the samples of a page. */
  async *read(page: OggPage): AsyncGenerator<Samples> {
    const decoded: Samples[] = [];
    for (const packet of this.#assembler.push(page)) {
      const samples = this.#decoder
        ? await this.#decode(this.#decoder, packet)
        : await this.#readHeader(packet);
      if (samples && countFrames(samples) > 0) decoded.push(samples);
    }
    yield* this.#cut(decoded, page);
  }

  async #decode(decoder: PacketDecoder, packet: Uint8Array): Promise<Samples | undefined> {
    // Vorbis and Opus have no empty packets but those of a gap.
    if (packet.length === 0) return undefined;
    const samples = await decoder.decode(packet);
    if (!samples) this.#log.add();
    return samples;
  }

  /** Collects headers until there is a decoder. Returns the samples of a packet that shows that there are no more headers. */
  async #readHeader(packet: Uint8Array): Promise<Samples | undefined> {
    this.#headers.push(packet);
    const [head = packet] = this.#headers;
    if (head === packet) return undefined;
    const codec = codecOf(head);
    // The comment header may be missing.
    if (codec === 'vorbis' ? !isVorbisHeader(packet, 5) : codec === 'flac' && packet[0] !== 0xff)
      return undefined;
    this.#decoder = await decoderOf(head, packet);
    if (!this.#decoder) throw corrupt('Ogg', `the header of its ${codec} stream cannot be read`);
    this.#delayFrames = this.#decoder.delayFrames;
    const isHeader = codec === 'vorbis' || hasText(packet, 'OpusTags');
    return isHeader ? undefined : this.#decode(this.#decoder, packet);
  }

  /** Yields the samples of a page without those that its granule position excludes, and without the delay. */
  *#cut(decoded: readonly Samples[], { granule, isLast }: OggPage): Generator<Samples> {
    const frames = decoded.reduce((sum, samples) => sum + countFrames(samples), 0);
    let from = 0;
    let to = frames;
    if (granule !== undefined) {
      const before = this.#granule ?? (isLast ? 0 : granule - frames);
      if (isLast) to = Math.max(0, Math.min(frames, granule - before));
      // Only a Vorbis stream begins before 0; the samples up to 0 are not part of the audio.
      else if (before < 0) from = Math.min(frames, -before);
      if (this.#decoder) this.#granule = granule;
    }
    let at = 0;
    for (const samples of decoded) {
      const count = countFrames(samples);
      const start = Math.max(0, from - at);
      const dropped = Math.min(this.#delayFrames, Math.max(0, count - start));
      this.#delayFrames -= dropped;
      const end = Math.min(count, to - at);
      if (start + dropped < end) yield sliceOf(samples, start + dropped, end);
      at += count;
    }
  }
}

/** Longest time of the first page of audio, in seconds, if the recording begins at 0. */
const MAX_PAGE_SECONDS = 6;

/**
 * Resolves with the duration of an Ogg file in seconds, from its first and its last bytes. Undefined when that is unknown: for
 * several streams in a row, and for the recording of a part of a stream.
 */
export async function oggSecondsBetween(head: Uint8Array, tail: Uint8Array): Promise<number | undefined> {
  const first = await pagesIn(head);
  const start = first.find(isNative);
  const unit = start && granuleUnit(start.parts[0]!);
  const last = (await pagesIn(tail)).findLast(({ granule }) => granule !== undefined);
  if (!unit || last?.serial !== start.serial) return undefined;
  const granules = first.filter(({ serial }) => serial === last.serial).map(({ granule }) => granule ?? 0);
  const begin = granules.find(granule => granule > 0) ?? 0;
  if (begin > MAX_PAGE_SECONDS * unit.rate) return undefined;
  return (last.granule! - unit.delay) / unit.rate;
}

async function pagesIn(bytes: Uint8Array): Promise<readonly OggPage[]> {
  const pages: OggPage[] = [];
  const reader = new ByteReader(Readable.from([bytes]));
  for await (const page of readOggPages(reader, new DamageLog())) pages.push(page);
  return pages;
}

/** Returns the sample rate of a stream, and the frames that its positions are ahead of its audio. */
function granuleUnit(head: Uint8Array): { readonly rate: number; readonly delay: number } | undefined {
  const view = viewOf(head);
  switch (codecOf(head)) {
    case 'opus':
      return head.length >= 19 ? { rate: OPUS_RATE, delay: view.getUint16(10, true) } : undefined;
    case 'vorbis':
      return head.length >= 30 ? { rate: view.getUint32(12, true), delay: 0 } : undefined;
    case 'flac':
      return { rate: flacFormat(head).sampleRate, delay: 0 };
    default:
      return undefined;
  }
}

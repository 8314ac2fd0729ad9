import { RxscribeError } from '../../base/errors.ts';
import { createPcmReader } from '../pcm/pcmReader.ts';
import {
  createWavHeaderReader,
  parseWavFormat,
  WAV_HEADER_LIMIT,
  WAV_SAMPLE_RATE_RANGE,
  type WavFormat,
  wavBytesPerSample,
} from '../pcm/wavHeader.ts';
import { type ByteReader, hasText, viewOf } from './byteReader.ts';
import { type ChunkKind, ChunkReader } from './chunks.ts';
import { corrupt, countFrames, DamageLog, type NativeAudio, type Samples } from './nativeAudio.ts';

/** Samples as they stand in a file. */
interface Layout extends WavFormat {
  /** True when the byte order of a sample differs from that of its format. */
  readonly isSwapped?: boolean;
  /** True when bytes are signed, unlike those of the format U8. */
  readonly isSigned?: boolean;
}

/** A kind of files of chunks with raw samples. */
interface PcmKind extends ChunkKind {
  /** Bytes before the first chunk. */
  readonly fileHeadBytes: number;
  /** Id of the chunk with the format, and the bytes of it that are read. */
  readonly format: readonly [id: string, bytes: number];
  /** Id of the chunks with samples. */
  readonly data: string;
  /** Parses the format. Returns undefined for a codec that is not read natively. @throws RxscribeError `audio-corrupt` */
  layoutOf(format: Uint8Array): Layout | undefined;
  /** Reads what precedes the samples in their chunk. Default: nothing. */
  readPreamble?(chunks: ChunkReader): Promise<unknown>;
}

/** Opens WAV. @throws RxscribeError `audio-corrupt` */
export async function openWav(bytes: ByteReader): Promise<NativeAudio | undefined> {
  const reader = createWavHeaderReader();
  try {
    while (!reader.header) {
      const piece = await bytes.peek(1);
      if (piece.length === 0) throw corrupt('WAV', 'it ends within its header');
      bytes.advance(piece.length - reader.push(piece).length);
    }
  } catch (error) {
    return unlessUnsupported(error);
  }
  const { format, dataBytes = Number.POSITIVE_INFINITY } = reader.header;
  return pcmAudio(new ChunkReader(bytes, WAV, dataBytes), WAV, format);
}

/** Returns undefined for a codec that is not read natively. @throws other errors */
function unlessUnsupported(error: unknown): undefined {
  if (error instanceof RxscribeError && error.code === 'audio-unsupported') return undefined;
  throw error;
}

/** Opens AIFF or AIFF-C with PCM, floats or G.711. @throws RxscribeError `audio-corrupt` */
export const openAiff = (bytes: ByteReader) => openChunks(bytes, AIFF);

/** Opens Sony Wave64 with PCM, floats or G.711. @throws RxscribeError `audio-corrupt` */
export const openW64 = (bytes: ByteReader) => openChunks(bytes, W64);

/** Opens CAF with PCM, floats or G.711. @throws RxscribeError `audio-corrupt` */
export const openCaf = (bytes: ByteReader) => openChunks(bytes, CAF);

async function openChunks(bytes: ByteReader, kind: PcmKind): Promise<NativeAudio | undefined> {
  await bytes.read(kind.fileHeadBytes);
  const chunks = new ChunkReader(bytes, kind);
  const [formatId, formatBytes] = kind.format;
  let layout: Layout | undefined;
  let headerBytes = 0;
  for (let id = await chunks.next(); id !== undefined; id = await chunks.next()) {
    if (id === kind.data) {
      // The format of AIFF may follow the samples; then another program has to read it.
      if (!layout) return undefined;
      await beginSamples(chunks, kind);
      return pcmAudio(chunks, kind, layout);
    }
    headerBytes += chunks.left;
    if (headerBytes > WAV_HEADER_LIMIT)
      throw corrupt(kind.name, `its header would have ${headerBytes} bytes (at most: ${WAV_HEADER_LIMIT})`);
    if (id !== formatId) continue;
    layout = kind.layoutOf(await chunks.read(formatBytes));
    if (!layout) return undefined;
  }
  throw corrupt(kind.name, layout ? 'it has no samples' : 'its header is damaged or incomplete');
}

async function beginSamples(chunks: ChunkReader, kind: PcmKind): Promise<void> {
  await kind.readPreamble?.(chunks);
  // Writers that cannot seek leave the size at 0.
  if (chunks.left === 0) chunks.readToEnd();
}

/** Sample formats of big-endian integers of 1, 2, 3 and 4 bytes, before their bytes are swapped. */
const INTEGERS = ['U8', 'S16LE', 'S24LE', 'S32LE'] as const;

function integers(bits: number): Pick<Layout, 'sampleFormat' | 'isSigned'> | undefined {
  const sampleFormat = INTEGERS[Math.ceil(bits / 8) - 1];
  return sampleFormat && { sampleFormat, isSigned: sampleFormat === 'U8' };
}

function aiffLayout(comm: Uint8Array): Layout | undefined {
  if (comm.length < 18) throw corrupt('AIFF', 'its format chunk is incomplete');
  const view = viewOf(comm);
  const codec = comm.length >= 22 ? String.fromCharCode(...comm.subarray(18, 22)) : 'NONE';
  const plain = aiffSamples(codec.toLowerCase(), view.getInt16(6));
  return (
    plain && checked('AIFF', { ...plain, channels: view.getUint16(0), sampleRate: extendedFloat(view, 8) })
  );
}

type AiffSamples = Omit<Layout, 'channels' | 'sampleRate'>;

/** Samples by codec; those of integers depend on their bits. */
const AIFF_CODECS: Readonly<Record<string, AiffSamples | undefined>> = {
  'raw ': { sampleFormat: 'U8' },
  in24: { sampleFormat: 'S24LE', isSwapped: true },
  in32: { sampleFormat: 'S32LE', isSwapped: true },
  fl32: { sampleFormat: 'F32LE', isSwapped: true },
  fl64: { sampleFormat: 'F64LE', isSwapped: true },
  alaw: { sampleFormat: 'ALAW' },
  ulaw: { sampleFormat: 'MULAW' },
};

function aiffSamples(codec: string, bits: number): AiffSamples | undefined {
  const whole = integers(bits);
  if (codec === 'sowt') return whole;
  if (codec === 'none' || codec === 'twos') return whole && { ...whole, isSwapped: true };
  return AIFF_CODECS[codec];
}

/** Returns a float of 80 bits, in which AIFF has the sample rate. */
function extendedFloat(view: DataView, at: number): number {
  const exponent = view.getUint16(at) & 0x7fff;
  return Math.round(
    (view.getUint32(at + 2) + view.getUint32(at + 6) / 2 ** 32) * 2 ** (exponent - 16_383 - 31),
  );
}

function wavLayout(body: Uint8Array): Layout | undefined {
  try {
    return parseWavFormat(body);
  } catch (error) {
    return unlessUnsupported(error);
  }
}

function cafLayout(desc: Uint8Array): Layout | undefined {
  if (desc.length < 32) throw corrupt('CAF', 'its format chunk is incomplete');
  const view = viewOf(desc);
  const format = { sampleRate: Math.round(view.getFloat64(0)), channels: view.getUint32(24) };
  const flags = view.getUint32(12);
  const bits = view.getUint32(28);
  if (hasText(desc, 'alaw', 8)) return checked('CAF', { ...format, sampleFormat: 'ALAW' });
  if (hasText(desc, 'ulaw', 8)) return checked('CAF', { ...format, sampleFormat: 'MULAW' });
  if (!hasText(desc, 'lpcm', 8)) return undefined;
  const isSwapped = (flags & 2) === 0;
  if ((flags & 1) === 0) {
    const whole = integers(bits);
    return whole && packed({ ...format, ...whole, isSwapped }, view.getUint32(16));
  }
  const sampleFormat = bits === 32 ? 'F32LE' : bits === 64 ? 'F64LE' : undefined;
  return sampleFormat && packed({ ...format, sampleFormat, isSwapped }, view.getUint32(16));
}

/** Returns a layout; undefined when there are gaps between the samples, as with 24 bits in four bytes. */
function packed(layout: Layout, frameBytes: number): Layout | undefined {
  const gapless = wavBytesPerSample(layout.sampleFormat) * layout.channels;
  return frameBytes > gapless ? undefined : checked('CAF', layout);
}

/** Returns a layout. @throws RxscribeError `audio-corrupt` when its numbers are no audio */
function checked(container: string, layout: Layout): Layout {
  const { sampleRate, channels } = layout;
  const { min, max } = WAV_SAMPLE_RATE_RANGE;
  if (!(sampleRate >= min && sampleRate <= max)) {
    throw corrupt(container, `its sample rate must be from ${min} to ${max} Hz, not ${sampleRate}`);
  }
  if (channels < 1 || channels > 0xffff) throw corrupt(container, `it has ${channels} channels`);
  return layout;
}

const WAV: PcmKind = {
  name: 'WAV',
  fileHeadBytes: 12,
  headBytes: 8,
  alignment: 2,
  format: ['fmt ', 40],
  data: 'data',
  sizeOf: head => head.getUint32(4, true),
  layoutOf: wavLayout,
};

const W64: PcmKind = {
  ...WAV,
  name: 'W64',
  fileHeadBytes: 40,
  headBytes: 24,
  alignment: 8,
  sizeOf: head => Number(head.getBigUint64(16, true)) - 24,
};

/** Sizes of AIFF from this one on are placeholders. */
const AIFF_UNKNOWN_SIZE = 0xffff_fff0;

const AIFF: PcmKind = {
  ...WAV,
  name: 'AIFF',
  format: ['COMM', 22],
  data: 'SSND',
  sizeOf(head) {
    const size = head.getUint32(4);
    return size < AIFF_UNKNOWN_SIZE ? size : Number.POSITIVE_INFINITY;
  },
  layoutOf: aiffLayout,
  async readPreamble(chunks) {
    const head = await chunks.read(8);
    if (head.length < 8) throw corrupt('AIFF', 'its header is damaged or incomplete');
    await chunks.read(viewOf(head).getUint32(0));
  },
};

const CAF: PcmKind = {
  name: 'CAF',
  fileHeadBytes: 8,
  headBytes: 12,
  alignment: 1,
  format: ['desc', 32],
  data: 'data',
  sizeOf(head) {
    const size = Number(head.getBigInt64(4));
    return size === -1 ? Number.POSITIVE_INFINITY : size;
  },
  layoutOf: cafLayout,
  readPreamble: chunks => chunks.read(4),
};

function pcmAudio(chunks: ChunkReader, kind: PcmKind, layout: Layout): NativeAudio {
  const frameBytes = wavBytesPerSample(layout.sampleFormat) * layout.channels;
  const log = new DamageLog();
  return {
    seconds: rest => Math.floor(Math.min(chunks.left, rest) / frameBytes) / layout.sampleRate,
    read: () => readChunks(chunks, kind, { layout, log }),
    log,
  };
}

interface PcmReading {
  readonly layout: Layout;
  readonly log: DamageLog;
}

/** Yields the samples of all chunks that have any. */
async function* readChunks(chunks: ChunkReader, kind: PcmKind, reading: PcmReading): AsyncGenerator<Samples> {
  yield* readPcm(chunks, reading);
  for (let id = await chunks.next(); id !== undefined; id = await chunks.next()) {
    if (id !== kind.data) continue;
    await beginSamples(chunks, kind);
    yield* readPcm(chunks, reading);
  }
  reading.log.unreadBytes += chunks.cutBytes;
}

async function* readPcm(chunks: ChunkReader, { layout, log }: PcmReading): AsyncGenerator<Samples> {
  const reader = createPcmReader(layout, piece => prepared(piece, layout));
  for (let piece = await chunks.readPiece(); piece.length > 0; piece = await chunks.readPiece()) {
    const block = reader.push(piece);
    if (block && countFrames(block) > 0) yield block;
  }
  const missing = (Number.isFinite(chunks.left) ? chunks.left : 0) + reader.pending;
  if (missing > 0) log.missingEnd = `its last ${missing} bytes are missing`;
}

/** Returns whole samples in the byte order and sign of their format. */
function prepared(bytes: Uint8Array, { sampleFormat, isSwapped, isSigned }: Layout): Uint8Array {
  const width = wavBytesPerSample(sampleFormat);
  if (isSigned) return bytes.map(byte => byte ^ 0x80);
  if (!isSwapped || width === 1) return bytes;
  const swapped = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += width) {
    for (let i = 0; i < width; i++) swapped[at + i] = bytes[at + width - 1 - i]!;
  }
  return swapped;
}

import { RxscribeError } from '../../base/errors.ts';
import { createPcmReader } from '../pcm/pcmReader.ts';
import {
  createWavHeaderReader,
  parseWavFormat,
  WAV_SAMPLE_RATE_RANGE,
  type WavFormat,
  wavBytesPerSample,
} from '../pcm/wavHeader.ts';
import { type ByteReader, hasText, viewOf } from './byteReader.ts';
import { corrupt, countFrames, DamageLog, type NativeAudio, type Samples } from './nativeAudio.ts';

/** Samples as they stand in a file. */
interface Layout extends WavFormat {
  /** True when the byte order of a sample differs from that of its format. */
  readonly isSwapped?: boolean;
  /** True when bytes are signed, unlike those of the format U8. */
  readonly isSigned?: boolean;
}

interface PcmFile {
  readonly container: string;
  readonly layout: Layout;
  /** Bytes of samples; undefined when they last until the end. */
  readonly dataBytes: number | undefined;
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
  const { format, dataBytes } = reader.header;
  return pcmAudio(bytes, { container: 'WAV', layout: format, dataBytes });
}

/** Returns undefined for a codec that is not read natively. @throws other errors */
function unlessUnsupported(error: unknown): undefined {
  if (error instanceof RxscribeError && error.code === 'audio-unsupported') return undefined;
  throw error;
}

/** Opens AIFF or AIFF-C with PCM, floats or G.711. @throws RxscribeError `audio-corrupt` */
export async function openAiff(bytes: ByteReader): Promise<NativeAudio | undefined> {
  await bytes.read(12);
  let layout: Layout | undefined;
  for (;;) {
    const head = await bytes.read(8);
    if (head.length < 8)
      throw corrupt('AIFF', layout ? 'it has no sound chunk' : 'it ends within its header');
    const size = viewOf(head).getUint32(4);
    if (hasText(head, 'SSND')) {
      // The format may follow the sound; then another program has to read it.
      if (!layout) return undefined;
      const offset = viewOf(await head8(bytes, 'AIFF')).getUint32(0);
      await bytes.skip(offset);
      const isKnown = size > 8 + offset && size < 0xffff_fff0;
      return pcmAudio(bytes, {
        container: 'AIFF',
        layout,
        dataBytes: isKnown ? size - 8 - offset : undefined,
      });
    }
    const body = await bytes.read(hasText(head, 'COMM') ? Math.min(size, 22) : 0);
    if (hasText(head, 'COMM')) {
      layout = aiffLayout(body);
      if (!layout) return undefined;
    }
    await bytes.skip(size - body.length + (size % 2));
  }
}

async function head8(bytes: ByteReader, container: string): Promise<Uint8Array> {
  const head = await bytes.read(8);
  if (head.length < 8) throw corrupt(container, 'it ends within its header');
  return head;
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

/** First bytes of the GUIDs of W64 that differ; `riff` and `wave` open the file. */
const W64_HEADER_BYTES = 40;

/** Opens Sony Wave64 with PCM, floats or G.711. @throws RxscribeError `audio-corrupt` */
export async function openW64(bytes: ByteReader): Promise<NativeAudio | undefined> {
  await bytes.read(W64_HEADER_BYTES);
  let layout: Layout | undefined;
  for (;;) {
    const head = await bytes.read(24);
    if (head.length < 24) throw corrupt('W64', layout ? 'it has no samples' : 'it ends within its header');
    const size = Number(viewOf(head).getBigUint64(16, true)) - 24;
    if (size < 0) throw corrupt('W64', 'its header is damaged');
    if (hasText(head, 'data')) {
      if (!layout) throw corrupt('W64', 'it has no format before the samples');
      return pcmAudio(bytes, { container: 'W64', layout, dataBytes: size > 0 ? size : undefined });
    }
    const body = await bytes.read(hasText(head, 'fmt ') ? Math.min(size, 40) : 0);
    if (hasText(head, 'fmt ')) {
      layout = w64Layout(body);
      if (!layout) return undefined;
    }
    await bytes.skip(Math.ceil(size / 8) * 8 - body.length);
  }
}

function w64Layout(body: Uint8Array): Layout | undefined {
  try {
    return parseWavFormat(body);
  } catch (error) {
    return unlessUnsupported(error);
  }
}

/** Opens CAF with PCM, floats or G.711. @throws RxscribeError `audio-corrupt` */
export async function openCaf(bytes: ByteReader): Promise<NativeAudio | undefined> {
  await bytes.read(8);
  let layout: Layout | undefined;
  for (;;) {
    const head = await bytes.read(12);
    if (head.length < 12) throw corrupt('CAF', layout ? 'it has no samples' : 'it ends within its header');
    const size = Number(viewOf(head).getBigInt64(4));
    if (hasText(head, 'data')) {
      if (!layout) throw corrupt('CAF', 'it has no format before the samples');
      await bytes.skip(4);
      return pcmAudio(bytes, { container: 'CAF', layout, dataBytes: size < 4 ? undefined : size - 4 });
    }
    if (size < 0) throw corrupt('CAF', 'its header is damaged');
    const body = await bytes.read(hasText(head, 'desc') ? Math.min(size, 32) : 0);
    if (hasText(head, 'desc')) {
      layout = cafLayout(body);
      if (!layout) return undefined;
    }
    await bytes.skip(size - body.length);
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

/** Returns a layout, or undefined when there are gaps between the samples. */
function packed(layout: Layout, frameBytes: number): Layout | undefined {
  const wanted = wavBytesPerSample(layout.sampleFormat) * layout.channels;
  return frameBytes === wanted ? checked('CAF', layout) : undefined;
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

function pcmAudio(bytes: ByteReader, file: PcmFile): NativeAudio {
  const { layout, dataBytes } = file;
  const frameBytes = wavBytesPerSample(layout.sampleFormat) * layout.channels;
  const log = new DamageLog();
  return {
    seconds: rest => Math.floor(Math.min(dataBytes ?? rest, rest) / frameBytes) / layout.sampleRate,
    read: () => readPcm(bytes, file, log),
    log,
  };
}

async function* readPcm(
  bytes: ByteReader,
  { layout, dataBytes }: PcmFile,
  log: DamageLog,
): AsyncGenerator<Samples> {
  const reader = createPcmReader(layout, piece => prepared(piece, layout));
  let left = dataBytes ?? Number.POSITIVE_INFINITY;
  while (left > 0) {
    const piece = (await bytes.readPiece()).subarray(0, left);
    if (piece.length === 0) break;
    left -= piece.length;
    const block = reader.push(piece);
    if (block && countFrames(block) > 0) yield block;
  }
  const missing = (Number.isFinite(left) ? left : 0) + reader.pending;
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

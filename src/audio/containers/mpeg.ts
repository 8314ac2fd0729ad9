import { type ByteReader, hasText, viewOf } from './byteReader.ts';
import { corrupt, countFrames, DamageLog, type NativeAudio, type Samples, sliceOf } from './nativeAudio.ts';
import { createMpegDecoder, type PacketDecoder } from './packetDecoders.ts';
import { beginsRecording, SNIFF_BYTES } from './sniff.ts';

/**
 * Opens MP3, or MPEG audio of another layer, at its first frame or anywhere else.
 *
 * @throws RxscribeError `audio-corrupt` when there is no frame
 */
export async function openMpeg(bytes: ByteReader): Promise<NativeAudio> {
  const log = new DamageLog();
  const frames = mpegFrames(bytes, log);
  const first = await frames.next();
  if (first.done) throw corrupt('MP3', 'it has no whole frame');
  const { frame, header } = first.value;
  async function* all(): AsyncGenerator<MpegFrame, boolean> {
    yield first.value as MpegFrame;
    return yield* frames;
  }
  return {
    seconds: () => secondsOf(header, parseMpegTag(frame, header)),
    read: () => readFrames(all(), log),
    log,
  };
}

/** Returns whether three frames of one stream of MPEG audio follow each other in bytes; two may fit by chance. */
export function hasMpegFrames(bytes: Uint8Array): boolean {
  const hasFrames = (count: number, at: number, last?: MpegHeader): boolean => {
    const header = parseMpegHeader(bytes, at);
    if (!header || (last && !isSameStream(last, header))) return false;
    return count === 1 || hasFrames(count - 1, at + header.bytes, header);
  };
  return bytes.some((byte, at) => byte === 0xff && hasFrames(3, at));
}

function secondsOf({ frames, sampleRate }: MpegHeader, tag: MpegTag | undefined): number | undefined {
  if (!tag?.frameCount) return undefined;
  const { start, end } = tag.padding ?? { start: 0, end: 0 };
  return (tag.frameCount * frames - start - end) / sampleRate;
}

interface MpegFrame {
  readonly header: MpegHeader;
  readonly frame: Uint8Array;
}

/**
 * Yields whole frames up to the end or a recording in another container, and skips the tags between them. Returns whether the last
 * one is incomplete.
 */
async function* mpegFrames(bytes: ByteReader, log: DamageLog): AsyncGenerator<MpegFrame, boolean> {
  let last: MpegHeader | undefined;
  for (;;) {
    const head = await bytes.peek(SNIFF_BYTES);
    if (head.length === 0) break;
    const tagBytes = await tagBytesAt(bytes);
    if (tagBytes > 0) {
      await bytes.skip(tagBytes);
      continue;
    }
    const next = parseMpegHeader(head);
    if (!next || !last || !isSameStream(next, last)) {
      if (last && beginsRecording(head)) break;
      const window = await bytes.peek(MAX_MPEG_BYTES);
      const { at, isFrame } = findFrame(window, window.length < MAX_MPEG_BYTES);
      // A recording may begin within a frame.
      if (last) log.skip(window.subarray(0, at));
      bytes.advance(at);
      if (!isFrame) continue;
    }
    const header = parseMpegHeader(await bytes.peek(4))!;
    const window = await bytes.peek(header.bytes);
    if (window.length < header.bytes) {
      bytes.advance(window.length);
      return true;
    }
    log.resume();
    const frame = window.subarray(0, header.bytes);
    bytes.advance(header.bytes);
    yield { header, frame };
    last = header;
  }
  log.end();
  return false;
}

/**
 * Finds the first frame that another one follows, or the end of the input. Without one, returns the offset from which more
 * bytes are needed.
 */
function findFrame(bytes: Uint8Array, isEnd: boolean): { readonly at: number; readonly isFrame: boolean } {
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const header = parseMpegHeader(bytes, at);
    if (!header) continue;
    const end = at + header.bytes;
    if (!isEnd && end + 4 > bytes.length) return { at, isFrame: false };
    const next = parseMpegHeader(bytes, end);
    if (next ? isSameStream(header, next) : end === bytes.length) return { at, isFrame: true };
  }
  return { at: isEnd ? bytes.length : bytes.length - 3, isFrame: false };
}

/** Resolves with the size of an ID3 or APE tag at the current position, or 0. */
export async function tagBytesAt(bytes: ByteReader): Promise<number> {
  const [first] = await bytes.peek(1);
  if (first === 0x49) return id3Bytes(await bytes.peek(10));
  if (first === 0x54) return hasText(await bytes.peek(3), 'TAG') ? 128 : 0;
  if (first !== 0x41) return 0;
  const head = await bytes.peek(32);
  if (head.length < 32 || !hasText(head, 'APETAGEX')) return 0;
  return viewOf(head).getUint32(12, true) + 32;
}

/** Returns the size of an ID3v2 tag that begins with the given bytes, or 0. */
export function id3Bytes(head: Uint8Array): number {
  if (head.length < 10 || !hasText(head, 'ID3') || head.subarray(6, 10).some(byte => byte > 127)) return 0;
  const size = head.subarray(6, 10).reduce((sum, byte) => (sum << 7) | byte, 0);
  const footer = viewOf(head).getUint8(5) & 0x10 ? 10 : 0;
  return 10 + size + footer;
}

/** The part of a file since its last tag: files can be several in a row. */
interface Section {
  readonly tag: MpegTag | undefined;
  /** Decoded frames so far. */
  count: number;
}

async function* readFrames(
  frames: AsyncGenerator<MpegFrame, boolean>,
  log: DamageLog,
): AsyncGenerator<Samples> {
  let section: Section = { tag: undefined, count: 0 };
  let decoder: PacketDecoder | undefined;
  let last: MpegHeader | undefined;
  for (;;) {
    const { done, value } = await frames.next();
    if (done) {
      if (value) log.missingEnd = 'its last frame is incomplete';
      break;
    }
    const { header, frame } = value;
    const tag = parseMpegTag(frame, header);
    if (tag) {
      section = { tag, count: 0 };
      continue;
    }
    if (!decoder || !last || !isSameStream(last, header)) decoder = await createMpegDecoder(header);
    last = header;
    const decoded = await decoder.decode(frame);
    if (!decoded) log.add();
    else if (countFrames(decoded) > 0) yield withoutPadding(decoded, section, header);
    section.count++;
  }
  const { tag, count } = section;
  const announced = tag?.frameCount ?? 0;
  if (!log.missingEnd && log.places === 0 && count < announced) {
    log.missingEnd = `it has ${count} of ${announced} frames`;
  }
}

/** Cuts off what the encoder added before and after the audio. */
function withoutPadding(decoded: Samples, { tag, count }: Section, { frames }: MpegHeader): Samples {
  if (!tag?.padding) return decoded;
  const { frameCount = Number.POSITIVE_INFINITY, padding } = tag;
  const start = padding.start - count * frames;
  const end = count < frameCount ? (frameCount - count) * frames - padding.end : frames;
  return sliceOf(decoded, Math.max(0, start), Math.max(0, Math.min(end, countFrames(decoded))));
}

/** The header of a frame of MPEG audio, layers I to III. */
export interface MpegHeader {
  readonly layer: number;
  readonly sampleRate: number;
  readonly channels: number;
  /** Samples per channel. */
  readonly frames: number;
  /** Size of the whole frame. */
  readonly bytes: number;
  /** Bytes of a Xing or Info tag from the beginning of the frame. */
  readonly tagOffset: number;
}

/** Size of the largest frame with the header of the next one. */
const MAX_MPEG_BYTES = 2881 + 4;

/** kbit/s by version (1, or 2 and 2.5) and layer. */
const BIT_RATES: Readonly<Record<string, readonly number[]>> = {
  '1.1': [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1.2': [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1.3': [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2.1': [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2.2': [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  '2.3': [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
/** Hz of version 1; half of it for version 2, a quarter for version 2.5. */
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/** Parses the 4 bytes of a header at an offset. Undefined for anything else, and for frames of free format, which state no size. */
function parseMpegHeader(bytes: Uint8Array, at = 0): MpegHeader | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(at, at + 4);
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined;
  const versionCode = (second >> 3) & 3;
  const layer = 4 - ((second >> 1) & 3);
  const fullRate = SAMPLE_RATES[(third >> 2) & 3];
  const version = versionCode === 3 ? 1 : 2;
  const kilobits = BIT_RATES[`${version}.${layer}`]?.[(third >> 4) - 1];
  if (versionCode === 1 || layer === 4 || !fullRate || !kilobits) return undefined;
  const sampleRate = versionCode === 3 ? fullRate : versionCode === 2 ? fullRate / 2 : fullRate / 4;
  const channels = fourth >> 6 === 3 ? 1 : 2;
  const frames = layer === 1 ? 384 : layer === 3 && version === 2 ? 576 : 1152;
  const slotBytes = layer === 1 ? 4 : 1;
  const slots = Math.floor(((frames / 8 / slotBytes) * (kilobits * 1000)) / sampleRate) + ((third >> 1) & 1);
  const sideBytes = version === 1 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
  return { layer, sampleRate, channels, frames, bytes: slots * slotBytes, tagOffset: 4 + sideBytes };
}

/** Returns whether two headers can belong to the same stream. */
function isSameStream(one: MpegHeader, other: MpegHeader): boolean {
  return one.layer === other.layer && one.sampleRate === other.sampleRate && one.channels === other.channels;
}

/** Contents of the frame without audio that encoders write first. */
export interface MpegTag {
  /** Frames of the file, each of {@link MpegHeader.frames}, without the tag. */
  readonly frameCount: number | undefined;
  /** Samples before and after the audio, as the encoder states them. */
  readonly padding: { readonly start: number; readonly end: number } | undefined;
}

/** Delay of a decoder in samples, by which padding is later than the encoder says. */
const DECODER_DELAY = 529;
/** Encoders that state the padding. Others write something else in the same bytes. */
const PADDING_ENCODERS = ['LAME', 'Lavf', 'Lavc'];
/** Flags of the fields that precede the name of the encoder, with their bytes. */
const FIELDS = [
  [1, 4],
  [2, 4],
  [4, 100],
  [8, 4],
] as const;

/** Parses the tag in a frame: Xing or Info with the extension of LAME, or VBRI. Undefined for a frame of audio. */
function parseMpegTag(frame: Uint8Array, { tagOffset }: MpegHeader): MpegTag | undefined {
  const view = viewOf(frame);
  if (hasText(frame, 'VBRI', 36)) {
    return { frameCount: frame.length >= 54 ? view.getUint32(50) : undefined, padding: undefined };
  }
  if (!hasText(frame, 'Xing', tagOffset) && !hasText(frame, 'Info', tagOffset)) return undefined;
  if (frame.length < tagOffset + 8) return undefined;
  const flags = view.getUint32(tagOffset + 4);
  const at = FIELDS.reduce((end, [flag, bytes]) => (flags & flag ? end + bytes : end), tagOffset + 8);
  if (frame.length < at + 24) return { frameCount: undefined, padding: undefined };
  const isKnown = PADDING_ENCODERS.some(name => hasText(frame, name, at));
  const delay = view.getUint16(at + 21) >> 4;
  const end = view.getUint16(at + 22) & 0xfff;
  const padding = { start: delay + DECODER_DELAY, end: Math.max(0, end - DECODER_DELAY) };
  const frameCount = flags & 1 ? view.getUint32(tagOffset + 8) : undefined;
  return { frameCount, padding: isKnown ? padding : undefined };
}

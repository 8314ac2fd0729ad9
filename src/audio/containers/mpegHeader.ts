import { hasText, viewOf } from './byteReader.ts';

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
export const MAX_MPEG_BYTES = 2881 + 4;

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
export function parseMpegHeader(bytes: Uint8Array, at = 0): MpegHeader | undefined {
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
export function isSameStream(one: MpegHeader, other: MpegHeader): boolean {
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
/** Encoders that state the padding. Others have something else at its place. */
const PADDING_ENCODERS = ['LAME', 'Lavf', 'Lavc'];
/** Flags of the fields that precede the name of the encoder, with their bytes. */
const FIELDS = [
  [1, 4],
  [2, 4],
  [4, 100],
  [8, 4],
] as const;

/** Parses the tag in a frame: Xing or Info with the extension of LAME, or VBRI. Undefined for a frame of audio. */
export function parseMpegTag(frame: Uint8Array, { tagOffset }: MpegHeader): MpegTag | undefined {
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
  const delay = (frame[at + 21]! << 4) | (frame[at + 22]! >> 4);
  const end = ((frame[at + 22]! & 15) << 8) | frame[at + 23]!;
  const padding = { start: delay + DECODER_DELAY, end: Math.max(0, end - DECODER_DELAY) };
  const frameCount = flags & 1 ? view.getUint32(tagOffset + 8) : undefined;
  return { frameCount, padding: isKnown ? padding : undefined };
}

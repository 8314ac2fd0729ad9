import { RxscribeError } from '../../base/errors.ts';
import { hasText, viewOf } from './byteReader.ts';
import { decodeFlacFrame, type FlacFormat } from './flacFrame.ts';
import { interleaved, type Samples } from './nativeAudio.ts';

/** Decodes the packets of one stream, in order. */
export interface PacketDecoder {
  /** Hz. */
  readonly sampleRate: number;
  /** Frames before the audio begins, which the caller drops. */
  readonly delayFrames: number;
  /** Returns the samples of a packet, which may be none; undefined when it cannot be decoded. */
  decode(packet: Uint8Array): Promise<Samples | undefined>;
}

interface Decoded {
  readonly channelData: readonly Float32Array[];
  readonly sampleRate: number;
  readonly errors: readonly unknown[];
}

type Decode = (packet: Uint8Array) => Decoded | Promise<Decoded>;

/**
 * Makes a packet decoder of a WebAssembly decoder. After an exception its memory may be damaged, so the next packet gets a new
 * one; the old one is left to the garbage collector, as freeing its memory may fail, too.
 */
async function supervised(
  start: () => Promise<Decode>,
  format: { readonly sampleRate: number; readonly channels: number; readonly delayFrames?: number },
  order = Array.from({ length: format.channels }, (_, channel) => channel),
): Promise<PacketDecoder> {
  const { sampleRate, channels, delayFrames = 0 } = format;
  let decode: Decode | undefined = await start();
  return {
    sampleRate,
    delayFrames,
    async decode(packet) {
      try {
        decode ??= await start();
        const run = decode;
        const { channelData, errors } = await quietly(() => run(packet));
        if (errors.length > 0 || channelData.length < channels) return undefined;
        const ordered = order.flatMap(channel => channelData[channel] ?? []);
        return { sampleRate, channels, samples: interleaved(ordered) };
      } catch {
        decode = undefined;
        return undefined;
      }
    },
  };
}

/**
 * Loads a decoder when it is needed. A literal name in the import would be bundled, and the bundled decoders do not run.
 *
 * @throws RxscribeError `program-missing`
 */
async function loadPackage<Module>(name: string): Promise<Module> {
  try {
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
  } catch (cause) {
    const message = `Cannot decode audio: the package '${name}' is not installed. Install it beside the program.`;
    throw new RxscribeError('program-missing', message, { cause });
  }
}

/** Runs a decoder without its messages: it prints one for each damaged packet. */
function quietly<T>(run: () => T): T {
  const { error } = console;
  console.error = () => {};
  try {
    return run();
  } finally {
    console.error = error;
  }
}

/** Creates a decoder of MPEG audio frames of one sample rate and number of channels. */
export function createMpegDecoder(format: { sampleRate: number; channels: number }): Promise<PacketDecoder> {
  return supervised(async () => {
    const { MPEGDecoder } = await loadPackage<typeof import('mpg123-decoder')>('mpg123-decoder');
    const decoder = new MPEGDecoder({ enableGapless: false });
    await decoder.ready;
    return frame => decoder.decodeFrame(frame);
  }, format);
}

/** Channels of surround sound in the order of WAV, by their number, where Vorbis and Opus have another. */
const SURROUND_ORDERS: Readonly<Record<number, number[]>> = {
  3: [0, 2, 1],
  5: [0, 2, 1, 3, 4],
  6: [0, 2, 1, 5, 3, 4],
  7: [0, 2, 1, 6, 5, 3, 4],
  8: [0, 2, 1, 7, 5, 6, 3, 4],
};

/** Sample rate of all decoded Opus, in Hz. */
export const OPUS_RATE = 48_000;

/**
 * Creates a decoder of Opus packets, or returns undefined for a header that is not understood.
 *
 * Source: RFC 7845, section 5.1.
 */
export async function createOpusDecoder(head: Uint8Array): Promise<PacketDecoder | undefined> {
  const [version = 16, channels = 0] = head.subarray(8);
  const [family = 0, streams = 0, coupled = 0] = head.subarray(18);
  if (!hasText(head, 'OpusHead') || head.length < 19 || version >= 16) return undefined;
  const isPlain = family === 0 && (channels === 1 || channels === 2);
  const streamCount = isPlain ? 1 : streams;
  const coupledStreamCount = isPlain ? channels - 1 : coupled;
  const channelMappingTable = isPlain ? [0, 1].slice(0, channels) : [...head.subarray(21, 21 + channels)];
  const decodedChannels = streamCount + coupledStreamCount;
  const isMapped =
    channelMappingTable.length === channels &&
    channelMappingTable.every(source => source < decodedChannels || source === 255);
  const isKnown =
    isPlain || (family !== 0 && channels <= 8 && streamCount >= 1 && coupledStreamCount <= streamCount);
  if (channels === 0 || !isMapped || !isKnown) return undefined;
  const start = async () => {
    const { OpusDecoder } = await loadPackage<typeof import('opus-decoder')>('opus-decoder');
    const decoder = new OpusDecoder({ channels, streamCount, coupledStreamCount, channelMappingTable });
    await decoder.ready;
    return (packet: Uint8Array) => decoder.decodeFrame(packet);
  };
  const delayFrames = viewOf(head).getUint16(10, true);
  return supervised(
    start,
    { sampleRate: OPUS_RATE, channels, delayFrames },
    family === 1 ? SURROUND_ORDERS[channels] : undefined,
  );
}

/** The headers of a Vorbis stream that its decoder needs. */
export interface VorbisHeaders {
  readonly identification: Uint8Array;
  readonly setup: Uint8Array;
}

/** Returns whether a packet is a Vorbis header of a kind: 1, 3 or 5. */
export function isVorbisHeader(packet: Uint8Array, kind: number): boolean {
  return packet[0] === kind && hasText(packet, 'vorbis', 1);
}

type Vorbis = typeof import('@wasm-audio-decoders/ogg-vorbis');
type VorbisPages = Parameters<InstanceType<Vorbis['OggVorbisDecoder']>['decodeOggPages']>[0];

/** Creates a decoder of Vorbis packets, or returns undefined for headers that are not understood. */
export async function createVorbisDecoder(headers: VorbisHeaders): Promise<PacketDecoder | undefined> {
  const { identification, setup } = headers;
  if (!isVorbisHeader(identification, 1) || identification.length < 30 || !isVorbisHeader(setup, 5))
    return undefined;
  const channels = viewOf(identification).getUint8(11);
  const sampleRate = viewOf(identification).getUint32(12, true);
  if (channels === 0 || sampleRate < 1000) return undefined;
  const start = async () => {
    const { OggVorbisDecoder } = await loadPackage<Vorbis>('@wasm-audio-decoders/ogg-vorbis');
    const decoder = new OggVorbisDecoder();
    await decoder.ready;
    let isFirst = true;
    return (packet: Uint8Array) => {
      // The decoder reads only these fields of a page. It takes the headers from the first pages, and must not be asked for
      // samples before it has both.
      const page = { data: NO_BYTES, codecFrames: [{ header: { vorbisSetup: setup }, data: packet }] };
      const pages = isFirst ? [{ data: identification, codecFrames: [] }, page] : [page];
      isFirst = false;
      return decoder.decodeOggPages(pages as unknown as VorbisPages);
    };
  };
  return supervised(start, { sampleRate, channels }, SURROUND_ORDERS[channels]);
}

const NO_BYTES = new Uint8Array(1);

/** Creates a decoder of FLAC frames, each a packet. */
export function createFlacDecoder(format: FlacFormat): PacketDecoder {
  return {
    sampleRate: format.sampleRate,
    delayFrames: 0,
    async decode(packet) {
      const frame = decodeFlacFrame(packet, format);
      return typeof frame === 'string' ? undefined : { ...format, samples: frame.samples };
    },
  };
}

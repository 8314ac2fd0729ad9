import { decodePcm } from '../pcm/pcm.ts';
import { type ByteReader, hasText } from './byteReader.ts';
import { MAX_FLAC_BITS } from './flac.ts';
import { parseStreamInfo } from './flacFrame.ts';
import {
  ELEMENT,
  type Element,
  elementsIn,
  floatOf,
  readElements,
  readVint,
  signedOf,
  unsignedOf,
} from './matroskaElements.ts';
import { corrupt, countFrames, DamageLog, type NativeAudio, type Samples, sliceOf } from './nativeAudio.ts';
import {
  createFlacDecoder,
  createOpusDecoder,
  createVorbisDecoder,
  type PacketDecoder,
} from './packetDecoders.ts';

/** An audio track. */
interface Track {
  readonly number: number;
  readonly codec: string;
  readonly codecPrivate: Uint8Array;
  readonly isEncoded: boolean;
  readonly sampleRate: number;
  readonly channels: number;
  readonly bits: number;
}

/**
 * Opens Matroska or WebM with Opus, Vorbis, FLAC or 16-bit PCM in its first audio track.
 *
 * @throws RxscribeError `audio-corrupt` when it has no tracks
 */
export async function openMatroska(bytes: ByteReader): Promise<NativeAudio | undefined> {
  const log = new DamageLog();
  const elements = readElements(bytes, log);
  let seconds: number | undefined;
  for (;;) {
    const { done, value: element } = await elements.next();
    if (done) throw corrupt('Matroska', 'it has no tracks');
    if (element.id === ELEMENT.info) seconds = secondsIn(element.body);
    if (element.id !== ELEMENT.tracks) continue;
    const tracks = [...elementsIn(element.body)].filter(({ id }) => id === ELEMENT.trackEntry).map(trackOf);
    const track = tracks.find(({ isAudio }) => isAudio);
    const decoder = track && (await decoderOf(track));
    if (!decoder) return undefined;
    return {
      // The duration is that of all tracks; a picture may last longer than the audio.
      seconds: () => (tracks.every(({ isAudio }) => isAudio) ? seconds : undefined),
      read: () =>
        readBlocks(elements, decoder, { track, others: tracks.filter(other => other !== track), log }),
      log,
    };
  }
}

function secondsIn(info: Uint8Array): number | undefined {
  let scale = 1_000_000;
  let duration = 0;
  for (const { id, body } of elementsIn(info)) {
    if (id === ELEMENT.timestampScale) scale = unsignedOf(body);
    if (id === ELEMENT.duration) duration = floatOf(body);
  }
  return duration > 0 ? (duration * scale) / 1e9 : undefined;
}

const AUDIO_TRACK = 2;

function trackOf({ body }: Element): Track & { readonly isAudio: boolean } {
  const all = [...elementsIn(body)];
  const find = (id: number, from = all) => from.find(element => element.id === id)?.body;
  const audio = [...elementsIn(find(ELEMENT.audio) ?? new Uint8Array(0))];
  const numberOf = (id: number, from = all) => unsignedOf(find(id, from) ?? new Uint8Array(0));
  const sampleRate = find(ELEMENT.samplingFrequency, audio);
  return {
    number: numberOf(ELEMENT.trackNumber),
    isAudio: numberOf(ELEMENT.trackType) === AUDIO_TRACK,
    codec: Buffer.from(find(ELEMENT.codecId) ?? []).toString('latin1'),
    codecPrivate: find(ELEMENT.codecPrivate) ?? new Uint8Array(0),
    isEncoded: find(ELEMENT.contentEncodings) !== undefined,
    sampleRate: sampleRate ? Math.round(floatOf(sampleRate)) : 8000,
    channels: numberOf(ELEMENT.channels, audio) || 1,
    bits: numberOf(ELEMENT.bitDepth, audio),
  };
}

async function decoderOf(track: Track): Promise<PacketDecoder | undefined> {
  const { codec, codecPrivate, isEncoded, bits } = track;
  if (isEncoded) return undefined;
  if (codec === 'A_OPUS') return createOpusDecoder(codecPrivate);
  if (codec === 'A_VORBIS') {
    const [identification, , setup] = packetsIn(codecPrivate, LACING.xiph);
    return identification && setup && createVorbisDecoder({ identification, setup });
  }
  if (codec === 'A_FLAC' && hasText(codecPrivate, 'fLaC')) {
    const format = parseStreamInfo(codecPrivate.slice(8));
    return format.bits > MAX_FLAC_BITS ? undefined : createFlacDecoder(format);
  }
  return codec === 'A_PCM/INT/LIT' && bits === 16 ? pcmDecoder(track) : undefined;
}

function pcmDecoder({ sampleRate, channels }: Track): PacketDecoder {
  return {
    sampleRate,
    delayFrames: 0,
    async decode(packet) {
      if (packet.length % (2 * channels) !== 0) return undefined;
      return { sampleRate, channels, samples: decodePcm(packet, { sampleFormat: 'S16LE' }) };
    },
  };
}

interface BlockReading {
  readonly track: Track;
  /** The other tracks, whose blocks are skipped. */
  readonly others: readonly Track[];
  readonly log: DamageLog;
}

async function* readBlocks(
  elements: AsyncIterable<Element>,
  decoder: PacketDecoder,
  { track, others, log }: BlockReading,
): AsyncGenerator<Samples> {
  const { sampleRate } = decoder;
  const framesOf = (nanoseconds: number) => Math.round((nanoseconds * sampleRate) / 1e9);
  // The decoder's own header counts: some writers give `CodecDelay` at the sample rate of their input.
  let { delayFrames } = decoder;
  for await (const element of elements) {
    const { block, discardPadding } = blockOf(element);
    const number = block && readVint(block, 0)?.value;
    if (!block || others.some(other => other.number === number)) continue;
    const packets = packetsOf(block, track.number);
    if (packets.length === 0) log.add();
    for (const [i, packet] of packets.entries()) {
      const decoded = await decoder.decode(packet);
      if (!decoded) log.add();
      if (!decoded || decoded.samples.length === 0) continue;
      const count = countFrames(decoded);
      const padding = i === packets.length - 1 ? framesOf(discardPadding) : 0;
      const from = Math.min(count, delayFrames + Math.max(0, -padding));
      delayFrames = Math.max(0, delayFrames - count);
      const to = Math.min(count, count - Math.max(0, padding));
      if (from < to) yield sliceOf(decoded, from, to);
    }
  }
}

interface Block {
  readonly block?: Uint8Array;
  /** Nanoseconds of padding at the end of the block; at its beginning when negative. */
  readonly discardPadding: number;
}

function blockOf({ id, body }: Element): Block {
  if (id === ELEMENT.simpleBlock) return { block: body, discardPadding: 0 };
  if (id !== ELEMENT.blockGroup) return { discardPadding: 0 };
  let block: Uint8Array | undefined;
  let discardPadding = 0;
  for (const child of elementsIn(body)) {
    if (child.id === ELEMENT.block) block = child.body;
    if (child.id === ELEMENT.discardPadding && child.body.length > 0) discardPadding = signedOf(child.body);
  }
  return { block, discardPadding };
}

/** Returns the packets in a block of a track; none when it is damaged. */
function packetsOf(block: Uint8Array, wantedTrack: number): readonly Uint8Array[] {
  const track = readVint(block, 0);
  if (track?.value !== wantedTrack || block.length < track.length + 3) return [];
  const [flags = 0] = block.subarray(track.length + 2);
  const lacing = (flags >> 1) & 3;
  return packetsIn(block.subarray(track.length + 3), lacing);
}

/** Ways in which several packets stand in one block. */
const LACING = { none: 0, xiph: 1, fixed: 2, ebml: 3 } as const;

/** Returns the packets of a block with the lengths of its lacing; none when these are impossible. */
function packetsIn(body: Uint8Array, lacing: number): readonly Uint8Array[] {
  if (lacing === LACING.none) return [body];
  const [others = 0] = body;
  const count = others + 1;
  const { sizes, end } = lacedSizes(body, lacing, count);
  const last = body.length - sizes.reduce((sum, size) => sum + size, end);
  if (sizes.length < count - 1 || last < 0 || sizes.some(size => size < 0)) return [];
  let at = end;
  return [...sizes, last].map(size => {
    at += size;
    return body.subarray(at - size, at);
  });
}

/** Returns the sizes of all packets but the last one, and the offset of the first packet. */
function lacedSizes(
  body: Uint8Array,
  lacing: number,
  count: number,
): { readonly sizes: number[]; readonly end: number } {
  const sizes: number[] = [];
  let at = 1;
  if (lacing === LACING.fixed)
    return { sizes: Array(count - 1).fill(Math.floor((body.length - 1) / count)), end: 1 };
  while (sizes.length < count - 1 && at < body.length) {
    if (lacing === LACING.xiph) {
      let size = 0;
      for (let byte = 255; byte === 255 && at < body.length; at++) {
        byte = body[at]!;
        size += byte;
      }
      sizes.push(size);
      continue;
    }
    const vint = readVint(body, at);
    if (!vint) break;
    at += vint.length;
    // After the first size come differences, with half of the range added.
    const difference = vint.value - (2 ** (7 * vint.length - 1) - 1);
    sizes.push(sizes.length === 0 ? vint.value : sizes.at(-1)! + difference);
  }
  return { sizes, end: at };
}

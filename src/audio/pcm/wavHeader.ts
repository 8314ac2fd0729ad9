import { RxscribeError } from '../../base/errors.ts';
import { BYTES_PER_SAMPLE, type SampleFormat } from '../format/format.ts';

/** Maximum number of bytes before the samples; a longer header means that the file is damaged. */
export const WAV_HEADER_LIMIT = 16 * 1024 * 1024;

/** The header of a WAV file. */
export interface WavHeader {
  readonly format: WavFormat;
  /** Bytes of samples; undefined when the header does not give them, and the samples last until the end of the input. */
  readonly dataBytes: number | undefined;
}

/** The next bytes that the parser needs: to keep, or to skip. */
interface ByteRequest {
  readonly bytes: number;
  readonly keep: boolean;
}

/** Creates a reader at the first byte of a RIFF, RF64 or BW64 file, in pieces of any size. It buffers at most 40 bytes. */
export function createWavHeaderReader() {
  const grammar = headerGrammar();
  const kept = new Uint8Array(WAV_FORMAT_CHUNK_BYTES);
  let request = grammar.next().value as ByteRequest;
  let receivedBytes = 0;
  let headerBytes = request.bytes;
  let header: WavHeader | undefined;
  let failure: unknown;

  function advance(): void {
    const step = grammar.next(kept.slice(0, request.keep ? receivedBytes : 0));
    receivedBytes = 0;
    if (step.done) {
      header = step.value;
      return;
    }
    request = step.value;
    headerBytes += request.bytes;
    if (headerBytes > WAV_HEADER_LIMIT) {
      throw corrupt(`its header would have ${headerBytes} bytes (at most: ${WAV_HEADER_LIMIT})`);
    }
  }

  return {
    /** Undefined until the header is complete. */
    get header() {
      return header;
    },
    /**
     * Takes bytes and returns those after the header; none until the header is complete.
     *
     * @throws RxscribeError `audio-corrupt` or `audio-unsupported`; the same again at every later call
     */
    push(bytes: Uint8Array) {
      if (failure) throw failure;
      let rest = bytes;
      try {
        while (!header) {
          const part = rest.subarray(0, request.bytes - receivedBytes);
          if (request.keep) kept.set(part, receivedBytes);
          receivedBytes += part.length;
          rest = rest.subarray(part.length);
          if (receivedBytes < request.bytes) break;
          advance();
        }
      } catch (error) {
        failure = error;
        throw error;
      }
      return rest;
    },
  };
}

const UINT32_MAX = 0xffff_ffff;
const DS64_BYTES = 16;

/**
 * The grammar of a WAV header. It yields the bytes that it needs next and is sent them, independent of the cuts of the input.
 *
 * RIFF: "Multimedia Programming Interface and Data Specifications 1.0", IBM and Microsoft, 1991. RF64: EBU Tech 3306.
 */
function* headerGrammar(): Generator<ByteRequest, WavHeader, Uint8Array> {
  const riff = yield { bytes: 12, keep: true };
  const kind = ascii(riff, 0);
  if (!['RIFF', 'RF64', 'BW64'].includes(kind) || ascii(riff, 8) !== 'WAVE') {
    throw corrupt('it does not begin with RIFF, RF64 or BW64 and WAVE');
  }
  let format: WavFormat | undefined;
  let longDataBytes: number | undefined;
  let padding = 0;
  for (;;) {
    const idBytes = yield { bytes: padding + 4, keep: true };
    const found = paddingBefore(idBytes, padding);
    const id = ascii(idBytes, found);
    const sizeBytes = yield { bytes: found + 8 - idBytes.length, keep: true };
    const size = viewOf(concat(idBytes.subarray(found + 4), sizeBytes)).getUint32(0, true);
    if (id === 'data') {
      if (!format) throw corrupt('it has no format chunk before the data');
      const isLong = kind !== 'RIFF' && size === UINT32_MAX;
      return { format, dataBytes: isLong ? longDataBytes : believableSize(size) };
    }
    const wanted = id === 'fmt ' ? WAV_FORMAT_CHUNK_BYTES : id === 'ds64' ? DS64_BYTES : 0;
    const body = yield { bytes: Math.min(size, wanted), keep: true };
    if (id === 'fmt ') format = parseWavFormat(body);
    if (id === 'ds64') longDataBytes = parseDs64(body);
    yield { bytes: size - body.length, keep: false };
    padding = size % 2;
  }
}

/** Ids of chunks of RIFF, AIFF and W64 that are found most often. */
const KNOWN_CHUNKS: ReadonlySet<string> = new Set(
  [
    'RIFF',
    'RF64',
    'BW64',
    'ds64',
    'fmt ',
    'data',
    'fact',
    'LIST',
    'JUNK',
    'bext',
    'cue ',
    'id3 ',
    'iXML',
    'PEAK',
    'smpl',
  ].concat([
    'FORM',
    'COMM',
    'SSND',
    'FVER',
    'NAME',
    'AUTH',
    'ANNO',
    'COMT',
    'MARK',
    'INST',
    'ID3 ',
    'riff',
    'list',
    'levl',
  ]),
);

/**
 * Returns the bytes of padding before a chunk, of the number that is due: none where only without them a known id follows, as
 * some writers leave them out.
 */
export function paddingBefore(bytes: Uint8Array, due: number): number {
  const isKnownAt = (at: number) => KNOWN_CHUNKS.has(ascii(bytes, at));
  return isKnownAt(0) && !isKnownAt(due) ? 0 : due;
}

/** Returns undefined for the placeholders of writers that cannot seek: 0, all ones, and about 2 GiB by SoX and arecord. */
function believableSize(size: number): number | undefined {
  const isPlaceholder = size === 0 || size === UINT32_MAX || (size >= 0x7fff_0000 && size <= 0x8000_0000);
  return isPlaceholder ? undefined : size;
}

function parseDs64(body: Uint8Array): number | undefined {
  if (body.length < DS64_BYTES)
    throw corrupt(`its ds64 chunk has ${body.length} bytes, fewer than ${DS64_BYTES}`);
  const size = viewOf(body).getBigUint64(8, true);
  return size === 0n || size > Number.MAX_SAFE_INTEGER ? undefined : Number(size);
}

function ascii(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array {
  return Uint8Array.of(...one, ...other);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The sample format of a WAV file. */
export interface WavFormat {
  readonly sampleFormat: SampleFormat | 'F64LE';
  /** Hz. */
  readonly sampleRate: number;
  readonly channels: number;
}

/** Plausible sample rates in Hz; any other means that the file is damaged. */
export const WAV_SAMPLE_RATE_RANGE = { min: 1000, max: 768_000 } as const;

/** Bytes of a `fmt ` chunk that are read; the rest is skipped. */
const WAV_FORMAT_CHUNK_BYTES = 40;

/** Numbers of codecs in the `fmt ` chunk. */
export const WAV_TAG = {
  pcm: 0x0001,
  float: 0x0003,
  alaw: 0x0006,
  mulaw: 0x0007,
  extensible: 0xfffe,
} as const;

/** Sample formats of integers of 1, 2, 3 and 4 bytes. */
const PCM_BY_BYTES = ['U8', 'S16LE', 'S24LE', 'S32LE'] as const;

/** The last 14 bytes of the subformat GUIDs that are a format tag in disguise (RFC 2361, appendix A). */
const GUID_TAIL = [0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xaa, 0x00, 0x38, 0x9b, 0x71];

/** Returns the bytes per sample of a WAV file. */
export function wavBytesPerSample(sampleFormat: WavFormat['sampleFormat']): number {
  return sampleFormat === 'F64LE' ? 8 : BYTES_PER_SAMPLE[sampleFormat];
}

/**
 * Parses the body of a `fmt ` chunk. Its block align is not read, as it is often wrong: width and number of channels give it.
 *
 * @throws RxscribeError `audio-unsupported` for a codec that is not PCM, float, A-law or mu-law, `audio-corrupt` for
 * values that no audio has
 */
export function parseWavFormat(chunk: Uint8Array): WavFormat {
  if (chunk.length < 16) throw corrupt(`its format chunk has ${chunk.length} bytes, fewer than 16`);
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const channels = view.getUint16(2, true);
  const sampleRate = view.getUint32(4, true);
  const sampleFormat = sampleFormatOf(formatTag(view), view.getUint16(14, true));
  if (sampleRate < WAV_SAMPLE_RATE_RANGE.min || sampleRate > WAV_SAMPLE_RATE_RANGE.max) {
    const { min, max } = WAV_SAMPLE_RATE_RANGE;
    throw corrupt(`its sample rate must be from ${min} to ${max} Hz, not ${sampleRate}`);
  }
  if (channels === 0) throw corrupt('it has no channels');
  return { sampleFormat, sampleRate, channels };
}

function formatTag(view: DataView): number {
  const tag = view.getUint16(0, true);
  if (tag !== WAV_TAG.extensible) return tag;
  if (view.byteLength < WAV_FORMAT_CHUNK_BYTES) {
    throw corrupt(
      `its extensible format chunk has ${view.byteLength} bytes, fewer than ${WAV_FORMAT_CHUNK_BYTES}`,
    );
  }
  if (GUID_TAIL.some((byte, i) => view.getUint8(26 + i) !== byte)) {
    throw unsupported('its subformat is unknown');
  }
  return view.getUint16(24, true);
}

function sampleFormatOf(tag: number, bits: number): WavFormat['sampleFormat'] {
  switch (tag) {
    case WAV_TAG.pcm:
      // Samples of a width in between fill the upper bits of the next larger container, so only the container matters.
      if (bits >= 1 && bits <= 32) return PCM_BY_BYTES[Math.ceil(bits / 8) - 1]!;
      throw unsupported(`PCM of ${bits} bits is not supported (supported: 1 to 32)`);
    case WAV_TAG.float:
      if (bits === 32) return 'F32LE';
      if (bits === 64) return 'F64LE';
      throw unsupported(`floats of ${bits} bits are not supported (supported: 32, 64)`);
    case WAV_TAG.alaw:
      return 'ALAW';
    case WAV_TAG.mulaw:
      return 'MULAW';
    default:
      throw unsupported(
        `codec 0x${tag.toString(16).padStart(4, '0')} is not supported (supported: PCM, float, A-law, mu-law)`,
      );
  }
}

function corrupt(problem: string): RxscribeError {
  return new RxscribeError('audio-corrupt', `Cannot read WAV: ${problem}.`);
}

function unsupported(problem: string): RxscribeError {
  return new RxscribeError('audio-unsupported', `Cannot read WAV: ${problem}.`);
}

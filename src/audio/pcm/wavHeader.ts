import { RxscribeError } from '../../base/errors.ts';
import { parseWavFormat, WAV_FORMAT_CHUNK_BYTES, type WavFormat } from './wavFormat.ts';

/** Most bytes before the samples; a longer header means that the file is damaged. */
export const WAV_HEADER_LIMIT = 16 * 1024 * 1024;

/** The header of a WAV file. */
export interface WavHeader {
  readonly format: WavFormat;
  /** Bytes of samples; undefined when the header does not give them, and the samples last until the end of the input. */
  readonly dataBytes: number | undefined;
}

/** Reads one header, in pieces of any size, and buffers at most 40 bytes. */
export interface WavHeaderReader {
  /** Undefined until the header is complete. */
  readonly header: WavHeader | undefined;
  /**
   * Takes bytes and returns those after the header; none until the header is complete.
   *
   * @throws RxscribeError `audio-corrupt` or `audio-unsupported`; the same again at every later call
   */
  push(bytes: Uint8Array): Uint8Array;
}

/** The next bytes that the parser needs: to keep, or to skip. */
interface ByteRequest {
  readonly bytes: number;
  readonly keep: boolean;
}

/** Creates a reader at the first byte of a RIFF, RF64 or BW64 file. */
export function createWavHeaderReader(): WavHeaderReader {
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
      throw corrupt(`its first ${WAV_HEADER_LIMIT} bytes have no samples`);
    }
  }

  return {
    get header() {
      return header;
    },
    push(bytes) {
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
  for (;;) {
    const chunk = yield { bytes: 8, keep: true };
    const id = ascii(chunk, 0);
    const size = viewOf(chunk).getUint32(4, true);
    if (id === 'data') {
      if (!format) throw corrupt('it has no format chunk before the data');
      const isLong = kind !== 'RIFF' && size === UINT32_MAX;
      return { format, dataBytes: isLong ? longDataBytes : believableSize(size) };
    }
    const wanted = id === 'fmt ' ? WAV_FORMAT_CHUNK_BYTES : id === 'ds64' ? DS64_BYTES : 0;
    const body = yield { bytes: Math.min(size, wanted), keep: true };
    if (id === 'fmt ') format = parseWavFormat(body);
    if (id === 'ds64') longDataBytes = parseDs64(body);
    // A chunk of an odd size is followed by one byte of padding.
    yield { bytes: size - body.length + (size % 2), keep: false };
  }
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

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function corrupt(problem: string): RxscribeError {
  return new RxscribeError('audio-corrupt', `Cannot read WAV: ${problem}.`);
}

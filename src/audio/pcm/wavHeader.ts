import { RxscribeError } from '../../base/errors.ts';
import { parseWavFormat, WAV_FORMAT_CHUNK_BYTES, type WavFormat } from './wavFormat.ts';

/** Chunks before the samples are passed over up to here, in bytes; a longer header is taken for damage. */
export const WAV_HEADER_LIMIT = 16 * 1024 * 1024;

/** What stands before the samples. */
export interface WavHeader {
  readonly format: WavFormat;
  /** Bytes of samples; undefined when the writer could not know: they last until the input ends. */
  readonly dataBytes: number | undefined;
}

/** Reads one header from pieces of any size, and keeps at most 40 bytes of them. */
export interface WavHeaderReader {
  /** Undefined until the first byte of the samples is reached. */
  readonly header: WavHeader | undefined;
  /**
   * Takes bytes; returns those behind the header, none until it is complete.
   *
   * @throws RxscribeError `audio-corrupt` or `audio-unsupported`, and the same at every later call
   */
  push(bytes: Uint8Array): Uint8Array;
}

/** The next bytes, to look at or to pass over. */
interface Wish {
  readonly bytes: number;
  readonly keep: boolean;
}

/** A reader at the first byte of a RIFF, RF64 or BW64 file. */
export function createWavHeaderReader(): WavHeaderReader {
  const grammar = headerGrammar();
  const kept = new Uint8Array(WAV_FORMAT_CHUNK_BYTES);
  let wish = grammar.next().value as Wish;
  let granted = 0;
  let headerBytes = wish.bytes;
  let header: WavHeader | undefined;
  let failure: unknown;

  function grant(): void {
    const step = grammar.next(kept.slice(0, wish.keep ? granted : 0));
    granted = 0;
    if (step.done) {
      header = step.value;
      return;
    }
    wish = step.value;
    headerBytes += wish.bytes;
    if (headerBytes > WAV_HEADER_LIMIT) {
      throw corrupt(`wanted samples within ${WAV_HEADER_LIMIT} bytes, found other chunks`);
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
          const part = rest.subarray(0, wish.bytes - granted);
          if (wish.keep) kept.set(part, granted);
          granted += part.length;
          rest = rest.subarray(part.length);
          if (granted < wish.bytes) break;
          grant();
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
 * The grammar of a WAV header. It yields its wishes and is sent the bytes, so it does not know how the input was cut.
 *
 * RIFF: "Multimedia Programming Interface and Data Specifications 1.0", IBM and Microsoft, 1991. RF64: EBU Tech 3306.
 */
function* headerGrammar(): Generator<Wish, WavHeader, Uint8Array> {
  const riff = yield { bytes: 12, keep: true };
  const kind = ascii(riff, 0);
  if (!['RIFF', 'RF64', 'BW64'].includes(kind) || ascii(riff, 8) !== 'WAVE') {
    throw corrupt('wanted RIFF, RF64 or BW64 with WAVE, found something else');
  }
  let format: WavFormat | undefined;
  let longDataBytes: number | undefined;
  for (;;) {
    const chunk = yield { bytes: 8, keep: true };
    const id = ascii(chunk, 0);
    const size = viewOf(chunk).getUint32(4, true);
    if (id === 'data') {
      if (!format) throw corrupt('wanted a format chunk before the data, found none');
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

/** Undefined for what writers put there that cannot seek back: 0, all ones, and some 2 GiB by SoX and arecord. */
function believableSize(size: number): number | undefined {
  const isPlaceholder = size === 0 || size === UINT32_MAX || (size >= 0x7fff_0000 && size <= 0x8000_0000);
  return isPlaceholder ? undefined : size;
}

function parseDs64(body: Uint8Array): number | undefined {
  if (body.length < DS64_BYTES) throw corrupt(`wanted ${DS64_BYTES} bytes of ds64, found ${body.length}`);
  const size = viewOf(body).getBigUint64(8, true);
  return size === 0n || size > Number.MAX_SAFE_INTEGER ? undefined : Number(size);
}

function ascii(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function corrupt(detail: string): RxscribeError {
  return new RxscribeError('audio-corrupt', `read WAV header: ${detail}`);
}

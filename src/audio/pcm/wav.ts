import { refuseIf } from '../../base/errors.ts';
import { bytesPerFrame, type PcmFormat, type SampleFormat } from '../format/format.ts';
import { createPcmReader, type PcmReader } from './pcmReader.ts';
import { createWavHeaderReader, WAV_TAG, wavBytesPerSample } from './wavHeader.ts';

/**
 * Creates a reader of PCM of 8 to 32 bits, floats of 32 and 64 bits, A-law and mu-law, in RIFF, RF64 and BW64, plain or
 * extensible, also without sizes, as written to pipes. Its samples do not depend on how the bytes are cut into pieces.
 *
 * @example
 * const reader = createWavReader();
 * for await (const bytes of stream) consume(reader.push(bytes));
 */
export function createWavReader() {
  const headerReader = createWavHeaderReader();
  let pcmReader: PcmReader | undefined;
  let dataBytes = 0;
  return {
    /** Undefined until the header has been read. */
    get format() {
      return headerReader.header?.format;
    },
    /**
     * Takes bytes and returns the frames that they complete, if any. Chunks after the samples are skipped.
     *
     * @throws RxscribeError `audio-corrupt` or `audio-unsupported`; the reader cannot be used afterwards
     */
    push(bytes: Uint8Array) {
      const rest = headerReader.push(bytes);
      const { header } = headerReader;
      if (!header) return undefined;
      const data = rest.subarray(0, (header.dataBytes ?? Number.POSITIVE_INFINITY) - dataBytes);
      dataBytes += data.length;
      pcmReader ??= createPcmReader(header.format);
      return pcmReader.push(data);
    },
  };
}

/** A WAV file as a lazy sequence of bytes. */
export interface WavFile {
  /** Bytes in total. */
  readonly size: number;
  readonly bytes: Iterable<Uint8Array>;
}

const HEADER_BYTES = 44;
/** Largest value of the size fields in the header. */
const MAX_BYTES = 0xffff_ffff;

/** Maximum number of bytes of samples in one file. */
export const MAX_WAV_DATA_BYTES = MAX_BYTES - HEADER_BYTES;

const TAGS: Partial<Record<SampleFormat, number>> = {
  F32LE: WAV_TAG.float,
  ALAW: WAV_TAG.alaw,
  MULAW: WAV_TAG.mulaw,
};

/**
 * Writes raw samples as a WAV file: RIFF with a plain format chunk. S16BE becomes S16LE, as WAV has no big-endian samples.
 *
 * @param frames number of frames that the header announces
 * @param samples exactly that many frames, in pieces of whole frames
 * @throws InvalidArgumentError when there are more bytes than the header can announce
 */
export function writeWav(format: PcmFormat, frames: number, samples: Iterable<Uint8Array>): WavFile {
  const dataBytes = frames * bytesPerFrame(format);
  refuseIf(
    dataBytes > MAX_WAV_DATA_BYTES,
    `Cannot write WAV: it can hold at most ${MAX_WAV_DATA_BYTES} bytes of samples, not ${dataBytes}.`,
  );
  const padding = new Uint8Array(dataBytes % 2);
  function* bytes(): Generator<Uint8Array> {
    yield header(format, dataBytes);
    for (const piece of samples) yield format.sampleFormat === 'S16BE' ? swapped(piece) : piece;
    if (padding.length > 0) yield padding;
  }
  return { size: HEADER_BYTES + dataBytes + padding.length, bytes: { [Symbol.iterator]: bytes } };
}

function header(format: PcmFormat, dataBytes: number): Uint8Array<ArrayBuffer> {
  const { sampleFormat, sampleRate, channels } = format;
  const frameBytes = bytesPerFrame(format);
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  const write = (text: string, at: number) => new TextEncoder().encodeInto(text, bytes.subarray(at));
  write('RIFF', 0);
  view.setUint32(4, HEADER_BYTES - 8 + dataBytes + (dataBytes % 2), true);
  write('WAVEfmt ', 8);
  view.setUint32(16, 16, true);
  view.setUint16(20, TAGS[sampleFormat] ?? WAV_TAG.pcm, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * frameBytes, true);
  view.setUint16(32, frameBytes, true);
  view.setUint16(34, wavBytesPerSample(sampleFormat) * 8, true);
  write('data', 36);
  view.setUint32(40, dataBytes, true);
  return bytes;
}

function swapped(piece: Uint8Array): Uint8Array {
  return Buffer.from(piece).swap16();
}

import { InvalidArgumentError } from '../../base/errors.ts';
import { bytesPerFrame, type PcmFormat, type SampleFormat } from '../format/format.ts';
import { WAV_TAG, wavBytesPerSample } from './wavFormat.ts';

/** A WAV file as a lazy sequence of bytes. */
export interface WavFile {
  /** Bytes in total. */
  readonly size: number;
  readonly bytes: Iterable<Uint8Array>;
}

const HEADER_BYTES = 44;
/** Largest value of the size fields in the header. */
const MAX_BYTES = 0xffff_ffff;

/** Most bytes of samples in one file. */
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
  if (dataBytes > MAX_WAV_DATA_BYTES) {
    throw new InvalidArgumentError(
      `Cannot write WAV: it can hold at most ${MAX_WAV_DATA_BYTES} bytes of samples, not ${dataBytes}.`,
    );
  }
  const padding = new Uint8Array(dataBytes % 2);
  function* bytes(): Generator<Uint8Array> {
    yield header(format, dataBytes);
    for (const piece of samples) yield format.sampleFormat === 'S16BE' ? swapped(piece) : piece;
    if (padding.length > 0) yield padding;
  }
  return { size: HEADER_BYTES + dataBytes + padding.length, bytes: { [Symbol.iterator]: bytes } };
}

function header(format: PcmFormat, dataBytes: number): Uint8Array {
  const { sampleFormat, sampleRate, channels } = format;
  const frameBytes = bytesPerFrame(format);
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(HEADER_BYTES - 8 + dataBytes + (dataBytes % 2), 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(TAGS[sampleFormat] ?? WAV_TAG.pcm, 20);
  bytes.writeUInt16LE(channels, 22);
  bytes.writeUInt32LE(sampleRate, 24);
  bytes.writeUInt32LE(sampleRate * frameBytes, 28);
  bytes.writeUInt16LE(frameBytes, 32);
  bytes.writeUInt16LE(wavBytesPerSample(sampleFormat) * 8, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(dataBytes, 40);
  return bytes;
}

function swapped(piece: Uint8Array): Uint8Array {
  return Buffer.from(piece).swap16();
}

import { framesOf } from '../format/format.ts';
import { decodePcm } from './pcm.ts';
import { type WavFormat, wavBytesPerSample } from './wavHeader.ts';

/** Decodes raw PCM bytes, in pieces of any size, to blocks. */
export type PcmReader = ReturnType<typeof createPcmReader>;

/**
 * Creates a reader at frame 0. Its samples do not depend on how the bytes are cut into pieces.
 *
 * @param prepare converts whole frames to the sample format, for files that have them in another byte order
 */
export function createPcmReader(
  { sampleFormat, sampleRate, channels }: WavFormat,
  prepare = (frames: Uint8Array) => frames,
) {
  const frameBytes = wavBytesPerSample(sampleFormat) * channels;
  let frames = 0;
  /** Bytes of an unfinished frame. */
  let carry = new Uint8Array(0);
  return {
    /** Frames returned so far. */
    get frames() {
      return frames;
    },
    /** Buffered bytes of an unfinished frame. */
    get pending() {
      return carry.length;
    },
    /** Takes bytes and returns the frames that they complete, if any. */
    push(bytes: Uint8Array) {
      const joined = carry.length === 0 ? bytes : Buffer.concat([carry, bytes]);
      const end = joined.length - (joined.length % frameBytes);
      // A copy, as the caller may reuse its buffer. (`slice` of a Buffer does not copy.)
      carry = new Uint8Array(joined.subarray(end));
      if (end === 0) return undefined;
      const whole = prepare(joined.subarray(0, end));
      const samples = sampleFormat === 'F64LE' ? decodeFloat64(whole) : decodePcm(whole, { sampleFormat });
      const block = { startFrame: frames, sampleRate, channels, samples };
      frames += framesOf(block);
      return block;
    },
  };
}

/** Decodes 64-bit floats; infinities and NaN become 0, as in `decodePcm`. */
function decodeFloat64(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Float32Array(bytes.length / Float64Array.BYTES_PER_ELEMENT);
  for (let i = 0; i < samples.length; i++) {
    const sample = Math.fround(view.getFloat64(i * Float64Array.BYTES_PER_ELEMENT, true));
    samples[i] = Number.isFinite(sample) ? sample : 0;
  }
  return samples;
}

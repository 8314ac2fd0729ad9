import { type AudioBlock, framesOf } from '../format/format.ts';
import { decodePcm } from './pcm.ts';
import { type WavFormat, wavBytesPerSample } from './wavFormat.ts';

/** Makes blocks of raw PCM bytes that come in pieces of any size. */
export interface PcmReader {
  /** Frames so far. */
  readonly frames: number;
  /** Bytes of an unfinished frame, waiting for the rest. */
  readonly pending: number;
  /** Takes bytes; returns the frames that they complete, if any. */
  push(bytes: Uint8Array): AudioBlock | undefined;
}

/** A reader at frame 0. What comes out does not depend on how the bytes were cut. */
export function createPcmReader({ sampleFormat, sampleRate, channels }: WavFormat): PcmReader {
  const assembler = createFrameAssembler(wavBytesPerSample(sampleFormat) * channels);
  let frames = 0;
  return {
    get frames() {
      return frames;
    },
    get pending() {
      return assembler.pending;
    },
    push(bytes) {
      const whole = assembler.push(bytes);
      if (whole.length === 0) return undefined;
      const samples = sampleFormat === 'F64LE' ? decodeFloat64(whole) : decodePcm(whole, { sampleFormat });
      const block = { startFrame: frames, sampleRate, channels, samples };
      frames += framesOf(block);
      return block;
    },
  };
}

/** As `decodePcm` does for narrower floats: what is not finite becomes 0. */
function decodeFloat64(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Float32Array(bytes.length / Float64Array.BYTES_PER_ELEMENT);
  for (let i = 0; i < samples.length; i++) {
    const sample = Math.fround(view.getFloat64(i * Float64Array.BYTES_PER_ELEMENT, true));
    samples[i] = Number.isFinite(sample) ? sample : 0;
  }
  return samples;
}

/** Makes whole frames of bytes that come in pieces of any size. */
export interface FrameAssembler {
  /** Bytes of an unfinished frame, waiting for the rest. */
  readonly pending: number;
  /** The whole frames so far. They may be a view of `bytes`, never of anything kept. */
  push(bytes: Uint8Array): Uint8Array;
}

/**
 * A frame assembler; the bytes of all its results are the bytes pushed, whatever the cuts.
 *
 * @example
 * const assembler = createFrameAssembler(bytesPerFrame(format));
 * for await (const bytes of stream) consume(decodePcm(assembler.push(bytes), format));
 */
export function createFrameAssembler(bytesPerFrame: number): FrameAssembler {
  let carry = new Uint8Array(0);
  return {
    get pending() {
      return carry.length;
    },
    push(bytes) {
      let joined = bytes;
      if (carry.length > 0) {
        joined = new Uint8Array(carry.length + bytes.length);
        joined.set(carry);
        joined.set(bytes, carry.length);
      }
      const whole = joined.length - (joined.length % bytesPerFrame);
      // A copy: the owner may write over its buffer. (`slice` of a Buffer makes none.)
      carry = new Uint8Array(joined.subarray(whole));
      return joined.subarray(0, whole);
    },
  };
}

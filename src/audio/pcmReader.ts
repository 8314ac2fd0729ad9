import { type AudioBlock, framesOf } from './format.ts';
import { createFrameAssembler } from './frameAssembler.ts';
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

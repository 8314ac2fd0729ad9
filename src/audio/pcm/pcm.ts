import { InvalidArgumentError } from '../../base/errors.ts';
import { BYTES_PER_SAMPLE, type PcmFormat, type SampleFormat } from '../format/format.ts';
import { ALAW_VALUES, encodeAlaw, encodeMulaw, MULAW_VALUES } from './g711.ts';
import { quantizeInto } from './int16Kernel.ts';

interface Codec {
  decode(bytes: DataView, samples: Float32Array): void;
  encode(samples: Float32Array, bytes: DataView): void;
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const SCALE_16 = 2 ** 15;
const SCALE_24 = 2 ** 23;
const SCALE_32 = 2 ** 31;

/**
 * Decodes raw PCM bytes to samples, nominally -1 to 1. Integers are divided by their full scale, so -32768 of 16 bits becomes
 * -1. Floats pass unchanged, except that infinities and NaN become 0.
 *
 * @throws InvalidArgumentError when the length is not a whole number of samples
 * @example
 * import { decodePcm } from 'rxscribe';
 *
 * decodePcm(Uint8Array.of(0x00, 0x80), { sampleFormat: 'S16LE' }); // Float32Array [-1]
 */
export function decodePcm(bytes: Uint8Array, format: Pick<PcmFormat, 'sampleFormat'>): Float32Array {
  const { sampleFormat } = format;
  const width = BYTES_PER_SAMPLE[sampleFormat];
  if (bytes.length % width !== 0) {
    throw new InvalidArgumentError(
      `Cannot decode ${sampleFormat}: ${bytes.length} bytes are not whole samples of ${width} bytes.`,
    );
  }
  const samples = new Float32Array(bytes.length / width);
  CODECS[sampleFormat].decode(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), samples);
  return samples;
}

/**
 * Encodes samples as raw PCM bytes: the inverse of {@link decodePcm}. Rounds to the nearest value and saturates at full scale;
 * NaN becomes 0.
 *
 * Decoding and encoding restores every 8, 16 and 24-bit value, except the negative zero of mu-law (0x7F becomes 0xFF), and
 * the upper 24 bits of 32-bit integers.
 *
 * @example
 * import { encodePcm } from 'rxscribe';
 *
 * encodePcm(Float32Array.of(-1), 'S16LE'); // Uint8Array [0x00, 0x80]
 */
export function encodePcm(samples: Float32Array, sampleFormat: SampleFormat): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.length * BYTES_PER_SAMPLE[sampleFormat]);
  encodePcmInto(samples, sampleFormat, bytes);
  return bytes;
}

/** Encodes samples as {@link encodePcm} does, into the start of an existing array. */
export function encodePcmInto(samples: Float32Array, sampleFormat: SampleFormat, bytes: Uint8Array): void {
  CODECS[sampleFormat].encode(samples, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/** Converts samples to 16-bit integers, as recognisers take them. Rounds and saturates like {@link encodePcm}. */
export function toInt16(samples: Float32Array): Int16Array {
  const values = new Int16Array(samples.length);
  quantizeInto(samples, values);
  return values;
}

/** Converts 16-bit integers to samples from -1 to 1. */
export function toFloats(samples: Int16Array): Float32Array {
  // A loop is many times faster than `map`, and all audio passes through here.
  const floats = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) floats[i] = samples[i]! / SCALE_16;
  return floats;
}

function quantize(sample: number, scale: number): number {
  // The final `| 0` makes an integer of NaN.
  return Math.max(-scale, Math.min(scale - 1, Math.round(sample * scale))) | 0;
}

// One loop per format: a shared loop that calls a function for each sample is several times slower. A DataView depends
// neither on alignment nor on the byte order of the machine.
const CODECS: Readonly<Record<SampleFormat, Codec>> = {
  S16LE: int16(true),
  S16BE: int16(false),
  S24LE: {
    decode(bytes, samples) {
      for (let i = 0; i < samples.length; i++) {
        samples[i] = ((bytes.getInt8(i * 3 + 2) << 16) | bytes.getUint16(i * 3, true)) / SCALE_24;
      }
    },
    encode(samples, bytes) {
      for (let i = 0; i < samples.length; i++) {
        const value = quantize(samples[i]!, SCALE_24);
        bytes.setUint16(i * 3, value & 0xffff, true);
        bytes.setInt8(i * 3 + 2, value >> 16);
      }
    },
  },
  S32LE: {
    decode(bytes, samples) {
      for (let i = 0; i < samples.length; i++) samples[i] = bytes.getInt32(i * 4, true) / SCALE_32;
    },
    encode(samples, bytes) {
      for (let i = 0; i < samples.length; i++) bytes.setInt32(i * 4, quantize(samples[i]!, SCALE_32), true);
    },
  },
  F32LE: {
    decode(bytes, samples) {
      for (let i = 0; i < samples.length; i++) {
        const sample = bytes.getFloat32(i * 4, true);
        // One bad sample would spread over the whole length of a filter.
        samples[i] = Number.isFinite(sample) ? sample : 0;
      }
    },
    encode(samples, bytes) {
      for (let i = 0; i < samples.length; i++) bytes.setFloat32(i * 4, samples[i]! || 0, true);
    },
  },
  U8: {
    decode(bytes, samples) {
      for (let i = 0; i < samples.length; i++) samples[i] = (bytes.getUint8(i) - 128) / 128;
    },
    encode(samples, bytes) {
      for (let i = 0; i < samples.length; i++) bytes.setUint8(i, quantize(samples[i]!, 128) + 128);
    },
  },
  MULAW: g711(MULAW_VALUES, encodeMulaw),
  ALAW: g711(ALAW_VALUES, encodeAlaw),
};

function int16(littleEndian: boolean): Codec {
  return {
    decode(bytes, samples) {
      for (let i = 0; i < samples.length; i++) samples[i] = bytes.getInt16(i * 2, littleEndian) / SCALE_16;
    },
    encode(samples, bytes) {
      // The format of nearly all streams, without a DataView.
      if (littleEndian === IS_LITTLE_ENDIAN && bytes.byteOffset % 2 === 0) {
        quantizeInto(samples, new Int16Array(bytes.buffer, bytes.byteOffset, samples.length));
        return;
      }
      for (let i = 0; i < samples.length; i++) {
        bytes.setInt16(i * 2, quantize(samples[i]!, SCALE_16), littleEndian);
      }
    },
  };
}

function g711(values: Int16Array, encodeValue: (value: number) => number): Codec {
  return {
    decode(bytes, samples) {
      for (let i = 0; i < samples.length; i++) samples[i] = values[bytes.getUint8(i)]! / SCALE_16;
    },
    encode(samples, bytes) {
      for (let i = 0; i < samples.length; i++) {
        bytes.setUint8(i, encodeValue(quantize(samples[i]!, SCALE_16)));
      }
    },
  };
}

import { RxscribeError } from '../../base/errors.ts';
import { viewOf } from './byteReader.ts';
import { crc8, crc16 } from './checksums.ts';

/** The format of a FLAC stream, which all its frames must have. */
export interface FlacFormat {
  readonly sampleRate: number;
  readonly channels: number;
  readonly bits: number;
  /** Announced length; undefined when the encoder did not know it. */
  readonly frames: number | undefined;
}

export interface FlacFrame {
  /** Size of the encoded frame. */
  readonly bytes: number;
  /** Interleaved. */
  readonly samples: Float32Array;
}

/** Bytes of the metadata block STREAMINFO without its header. */
export const STREAMINFO_BYTES = 34;

/** Parses STREAMINFO. @throws RxscribeError `audio-corrupt` */
export function parseStreamInfo(block: Uint8Array): FlacFormat {
  if (block.length < STREAMINFO_BYTES)
    throw new RxscribeError('audio-corrupt', 'Cannot read FLAC: its header is incomplete.');
  // 20 bits of rate, 3 of channels, 5 of the size of samples and 36 of length.
  const fields = viewOf(block).getBigUint64(10);
  const sampleRate = Number(fields >> 44n);
  const channels = Number((fields >> 41n) & 7n) + 1;
  const bits = Number((fields >> 36n) & 31n) + 1;
  const frames = Number(fields & 0xf_ffff_ffffn);
  if (sampleRate < 1000 || bits < 4)
    throw new RxscribeError('audio-corrupt', 'Cannot read FLAC: its header is damaged.');
  return { sampleRate, channels, bits, frames: frames || undefined };
}

/** Thrown within this file: the bytes end before the frame, or are no frame. */
const MORE = Symbol('more');
const BAD = Symbol('bad');

/**
 * Decodes the frame at the beginning of bytes and verifies its checksums. Returns `more` when the frame is longer than the
 * bytes, `bad` when there is no intact frame of the format.
 *
 * Source: RFC 9639, section 9.
 */
export function decodeFlacFrame(bytes: Uint8Array, format: FlacFormat): FlacFrame | 'more' | 'bad' {
  try {
    return decode(bytes, format);
  } catch (thrown) {
    if (thrown === MORE) return 'more';
    if (thrown === BAD) return 'bad';
    throw thrown;
  }
}

function decode(bytes: Uint8Array, format: FlacFormat): FlacFrame {
  const input = new BitReader(bytes);
  const { blockSize, assignment } = readHeader(input, format);
  // A frame is not much longer than its samples; a damaged one must not request input without end.
  input.limitBits = 2 * blockSize * format.channels * (format.bits + 1) + 8192;
  const channels: Int32Array[] = [];
  for (let channel = 0; channel < format.channels; channel++) {
    const isSide = assignment === 9 ? channel === 0 : assignment >= 8 && channel === 1;
    channels.push(readSubframe(input, blockSize, format.bits + (isSide ? 1 : 0)));
  }
  const end = (input.position + 7) >> 3;
  if (end + 2 > bytes.length) throw MORE;
  if (crc16(bytes, end) !== viewOf(bytes).getUint16(end)) throw BAD;
  const [first, second] = channels;
  if (assignment >= 8 && first && second) decorrelate(first, second, assignment);
  return { bytes: end + 2, samples: interleaved(channels, 2 ** (format.bits - 1)) };
}

const BLOCK_SIZES = [0, 192, 576, 1152, 2304, 4608, 0, 0, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768];
const SAMPLE_RATES = [
  0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
];
const SAMPLE_BITS = [0, 8, 12, -1, 16, 20, 24, 32];

function readHeader(input: BitReader, format: FlacFormat): { blockSize: number; assignment: number } {
  if (input.bits(15) !== 0x7ffc) throw BAD;
  input.bits(1);
  const sizeCode = input.bits(4);
  const rateCode = input.bits(4);
  const assignment = input.bits(4);
  const bits = SAMPLE_BITS[input.bits(3)] || format.bits;
  if (input.bits(1) !== 0 || sizeCode === 0 || rateCode === 15) throw BAD;
  const channels = assignment < 8 ? assignment + 1 : 2;
  skipNumber(input);
  const blockSize =
    sizeCode === 6 ? input.bits(8) + 1 : sizeCode === 7 ? input.bits(16) + 1 : (BLOCK_SIZES[sizeCode] ?? 0);
  const sampleRate = readRate(input, rateCode) || format.sampleRate;
  const headerBytes = input.position >> 3;
  if (crc8(input.bytes, headerBytes) !== input.bits(8)) throw BAD;
  const isWanted = bits === format.bits && channels === format.channels && sampleRate === format.sampleRate;
  if (!isWanted || assignment > 10) throw BAD;
  return { blockSize, assignment };
}

function readRate(input: BitReader, code: number): number {
  if (code === 12) return input.bits(8) * 1000;
  if (code === 13) return input.bits(16);
  if (code === 14) return input.bits(16) * 10;
  return SAMPLE_RATES[code] ?? 0;
}

/** Skips the number of the frame, which is coded like a character of UTF-8. */
function skipNumber(input: BitReader): void {
  const first = input.bits(8);
  const ones = Math.clz32(~(first << 24));
  if (ones === 1 || ones > 7) throw BAD;
  for (let i = 1; i < ones; i++) {
    if (input.bits(8) >> 6 !== 2) throw BAD;
  }
}

function readSubframe(input: BitReader, blockSize: number, fullBits: number): Int32Array {
  if (input.bits(1) !== 0) throw BAD;
  const type = input.bits(6);
  const wasted = input.bits(1) ? input.unary() + 1 : 0;
  const bits = fullBits - wasted;
  if (bits < 1) throw BAD;
  const samples = new Int32Array(blockSize);
  if (type === 0) samples.fill(input.signed(bits));
  else if (type === 1) for (let i = 0; i < blockSize; i++) samples[i] = input.signed(bits);
  else if (type >= 8 && type <= 12) readPredicted(input, samples, { bits, order: type - 8, isFixed: true });
  else if (type >= 32) readPredicted(input, samples, { bits, order: type - 31, isFixed: false });
  else throw BAD;
  if (wasted > 0) for (let i = 0; i < blockSize; i++) samples[i]! <<= wasted;
  return samples;
}

/** Predictors without coefficients of their own, by their order. */
const FIXED = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]];

interface Prediction {
  readonly bits: number;
  readonly order: number;
  readonly isFixed: boolean;
}

function readPredicted(input: BitReader, samples: Int32Array, { bits, order, isFixed }: Prediction): void {
  if (order > samples.length) throw BAD;
  for (let i = 0; i < order; i++) samples[i] = input.signed(bits);
  let coefficients = FIXED[order] ?? [];
  let shift = 0;
  if (!isFixed) {
    const precision = input.bits(4) + 1;
    shift = input.signed(5);
    if (precision === 16 || shift < 0) throw BAD;
    coefficients = Array.from({ length: order }, () => input.signed(precision));
  }
  readResiduals(input, samples, order);
  if (order > 0) predict(samples, Int32Array.from(coefficients), shift);
}

function readResiduals(input: BitReader, samples: Int32Array, order: number): void {
  const method = input.bits(2);
  if (method > 1) throw BAD;
  const parameterBits = 4 + method;
  const partitions = 1 << input.bits(4);
  const partitionSize = samples.length / partitions;
  if (!Number.isInteger(partitionSize) || partitionSize < order) throw BAD;
  for (let partition = 0, at = order; partition < partitions; partition++) {
    const end = (partition + 1) * partitionSize;
    const parameter = input.bits(parameterBits);
    if (parameter < (1 << parameterBits) - 1) input.rice(samples, at, end, parameter);
    else {
      const bits = input.bits(5);
      for (let i = at; i < end; i++) samples[i] = bits === 0 ? 0 : input.signed(bits);
    }
    at = end;
  }
}

/** Adds predictions to residuals. The sums have up to 53 bits, as 24-bit audio needs them. */
function predict(samples: Int32Array, coefficients: Int32Array, shift: number): void {
  const order = coefficients.length;
  const scale = 2 ** shift;
  for (let i = order; i < samples.length; i++) {
    let sum = 0;
    for (let j = 0; j < order; j++) sum += coefficients[j]! * samples[i - 1 - j]!;
    samples[i]! += Math.floor(sum / scale);
  }
}

/** Restores left and right in place from left and side (8), side and right (9), or mid and side (10). */
function decorrelate(first: Int32Array, second: Int32Array, assignment: number): void {
  for (let i = 0; i < first.length; i++) {
    const [a, b] = [first[i]!, second[i]!];
    if (assignment === 8) second[i] = a - b;
    else if (assignment === 9) first[i] = a + b;
    else {
      const sum = (a << 1) | (b & 1);
      first[i] = (sum + b) >> 1;
      second[i] = (sum - b) >> 1;
    }
  }
}

function interleaved(channels: readonly Int32Array[], scale: number): Float32Array {
  const count = channels.length;
  const samples = new Float32Array((channels[0]?.length ?? 0) * count);
  for (const [channel, values] of channels.entries()) {
    for (let i = 0, at = channel; i < values.length; i++, at += count) samples[at] = values[i]! / scale;
  }
  return samples;
}

class BitReader {
  readonly bytes: Uint8Array;
  readonly #end: number;
  /** Bits of the longest believable frame. */
  limitBits = Number.POSITIVE_INFINITY;
  /** In bits. */
  position = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#end = bytes.length * 8;
  }

  /** Returns up to 32 bits as an unsigned number. */
  bits(count: number): number {
    const value = this.#word(this.position) >>> (32 - count);
    this.#move(count);
    return value;
  }

  /** Returns up to 32 bits as a number in two's complement. */
  signed(count: number): number {
    const value = this.#word(this.position) >> (32 - count);
    this.#move(count);
    return value;
  }

  /** Returns the number of zeros before the next one. */
  unary(): number {
    let zeros = 0;
    let word = this.#word(this.position);
    while (word === 0) {
      zeros += 32;
      this.#move(32);
      word = this.#word(this.position);
    }
    const last = Math.clz32(word);
    this.#move(last + 1);
    return zeros + last;
  }

  /** Reads Rice codes into a range of an array. */
  rice(values: Int32Array, from: number, to: number, parameter: number): void {
    for (let i = from; i < to; i++) {
      let folded = this.unary() << parameter;
      if (parameter > 0) folded |= this.bits(parameter);
      values[i] = (folded >>> 1) ^ -(folded & 1);
    }
  }

  #word(position: number): number {
    const { bytes } = this;
    const at = position >> 3;
    const shift = position & 7;
    const word = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
    return shift === 0 ? word : (word << shift) | (bytes[at + 4]! >> (8 - shift));
  }

  #move(bits: number): void {
    this.position += bits;
    if (this.position > this.#end) throw this.position > this.limitBits ? BAD : MORE;
  }
}

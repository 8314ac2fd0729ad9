import { InvalidArgumentError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { MARK, type Marked } from '../../flow/demand.ts';

/** Encoding of one sample: integers, floats, or G.711. Names end in LE or BE (little or big endian) where bytes have an order. */
export type SampleFormat = 'S16LE' | 'S16BE' | 'S24LE' | 'S32LE' | 'F32LE' | 'U8' | 'MULAW' | 'ALAW';

/** The format of raw PCM bytes. */
export interface PcmFormat {
  readonly sampleFormat: SampleFormat;
  /** Frames per second, in Hz. */
  readonly sampleRate: number;
  /** Samples per frame. */
  readonly channels: number;
}

/** Bytes per sample. */
export const BYTES_PER_SAMPLE: Readonly<Record<SampleFormat, number>> = {
  S16LE: 2,
  S16BE: 2,
  S24LE: 3,
  S32LE: 4,
  F32LE: 4,
  U8: 1,
  MULAW: 1,
  ALAW: 1,
};

/** Returns the bytes per frame, that is, of one sample of every channel. */
export function bytesPerFrame(format: Pick<PcmFormat, 'sampleFormat' | 'channels'>): number {
  return BYTES_PER_SAMPLE[format.sampleFormat] * format.channels;
}

/** Key that is set on blocks whose channels were mixed to one. */
export const MIXED = Symbol('mixed to one channel');

/**
 * A run of consecutive frames of one source: the value that every audio pipeline carries.
 *
 * Audio positions are integer frame indices up to the transcript, where they become seconds.
 */
export interface AudioBlock extends Marked {
  /** Frames since the start of the source, at the sample rate of this block. */
  readonly startFrame: number;
  /** Hz. */
  readonly sampleRate: number;
  readonly channels: number;
  /** Interleaved samples, nominally -1 to 1; length = frames * channels. 16-bit PCM passes through unchanged. */
  readonly samples: Float32Array;
  readonly [MIXED]?: boolean;
}

/** Returns the properties that an operator copies from the latest block it has received to the one it makes. */
export function originOf({ [MARK]: mark, [MIXED]: mixed }: AudioBlock): Partial<AudioBlock> {
  return { ...(mark && { [MARK]: mark }), ...(mixed && { [MIXED]: mixed }) };
}

/**
 * Returns the number of frames in a block.
 *
 * @example
 * import { framesOf } from 'rxscribe';
 *
 * framesOf({ startFrame: 0, sampleRate: 16_000, channels: 2, samples: new Float32Array(3200) }); // 1600
 */
export function framesOf(block: AudioBlock): number {
  return block.samples.length / block.channels;
}

/** Returns the end of a block, in seconds since the start of the source. */
export function endSecondsOf(block: AudioBlock): number {
  return (block.startFrame + framesOf(block)) / block.sampleRate;
}

/** Returns the kind of a value for a message: `an Int16Array`, `a string`, `undefined`. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  const name = ArrayBuffer.isView(value) || Array.isArray(value) ? value.constructor.name : typeof value;
  return `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`;
}

/** Returns whether a value is a typed array of the named type, of any realm. */
export function isArrayOf<Name extends 'Int16Array' | 'Float32Array'>(
  name: Name,
  value: unknown,
): value is Name extends 'Int16Array' ? Int16Array : Float32Array {
  return (
    ArrayBuffer.isView(value) && (value as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] === name
  );
}

/**
 * Throws unless a value is an audio block: bare samples would be transcribed as silence, or as noise.
 *
 * @throws InvalidArgumentError that names `fromFrames`, which makes blocks of samples
 */
export function requireBlock(operator: string, block: AudioBlock): void {
  const fault = faultOf(block);
  if (fault === undefined) return;
  throw new InvalidArgumentError(
    `${operator}() takes blocks of audio, not ${fault}. ` +
      'Make blocks of an Int16Array or a Float32Array with fromFrames().',
  );
}

function faultOf(block: unknown): string | undefined {
  if (typeof block !== 'object' || block === null || ArrayBuffer.isView(block) || Array.isArray(block)) {
    return kindOf(block);
  }
  const { startFrame, sampleRate, channels, samples } = block as Partial<AudioBlock>;
  if (!isArrayOf('Float32Array', samples)) return `a block whose samples are ${kindOf(samples)}`;
  if (!isWhole(startFrame, 0)) return `a block with startFrame ${startFrame}`;
  if (!isWhole(sampleRate, 1)) return `a block with sampleRate ${sampleRate}`;
  if (!isWhole(channels, 1)) return `a block with ${channels} channels`;
  if (samples.length % channels === 0) return undefined;
  return `a block with ${samples.length} samples of ${channels} channels`;
}

function isWhole(value: number | undefined, least: number): value is number {
  return Number.isSafeInteger(value) && value! >= least;
}

/** @throws InvalidArgumentError when a block differs from the first of its stream in rate or channels */
export function requireSameFormat(operator: string, first: AudioBlock, block: AudioBlock): void {
  if (block.sampleRate === first.sampleRate && block.channels === first.channels) return;
  const describe = ({ sampleRate, channels }: AudioBlock) =>
    `${sampleRate} Hz and ${counted(channels, 'channel')}`;
  throw new InvalidArgumentError(
    `${operator}() takes audio of one format: the stream began with ${describe(first)}, ` +
      `but has ${describe(block)} at frame ${block.startFrame}.`,
  );
}

import { InvalidArgumentError } from '../../base/errors.ts';

/** How one sample is written. A name ends in LE or BE where bytes have an order. */
export type SampleFormat = 'S16LE' | 'S16BE' | 'S24LE' | 'S32LE' | 'F32LE' | 'U8' | 'MULAW' | 'ALAW';

/** Raw PCM: what the bytes of a stream mean. */
export interface PcmFormat {
  readonly sampleFormat: SampleFormat;
  /** Frames a second, in Hz. */
  readonly sampleRate: number;
  /** Samples a frame. */
  readonly channels: number;
}

/** Bytes that one sample takes. */
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

/** Bytes that one frame (a sample of every channel) takes. */
export function bytesPerFrame(format: Pick<PcmFormat, 'sampleFormat' | 'channels'>): number {
  return BYTES_PER_SAMPLE[format.sampleFormat] * format.channels;
}

/**
 * A run of consecutive frames of one source: what flows through every audio pipeline.
 *
 * Positions are integer frames, never seconds, until the transcript.
 */
export interface AudioBlock {
  /** Frames since the start of the source, at this block's own rate. */
  readonly startFrame: number;
  /** Hz. */
  readonly sampleRate: number;
  readonly channels: number;
  /** Interleaved, nominally -1 to 1; length = frames * channels. 16-bit PCM passes through unchanged. */
  readonly samples: Float32Array;
}

/** Frames in a block. */
export function framesOf(block: AudioBlock): number {
  return block.samples.length / block.channels;
}

/** Returns what a value is, for people: `an Int16Array`, `a string`, `undefined`. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  const name = ArrayBuffer.isView(value) || Array.isArray(value) ? value.constructor.name : typeof value;
  return `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`;
}

/** Returns whether a value is a typed array of a type, whatever realm made it. */
export function isArrayOf<Name extends 'Int16Array' | 'Float32Array'>(
  name: Name,
  value: unknown,
): value is Name extends 'Int16Array' ? Int16Array : Float32Array {
  return (
    ArrayBuffer.isView(value) && (value as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] === name
  );
}

/**
 * Throws for what is no block: bare samples would be heard as nothing, or as noise.
 *
 * @throws InvalidArgumentError that says what makes blocks of samples
 */
export function requireBlock(action: string, block: AudioBlock): void {
  const fault = faultOf(block);
  if (fault === undefined) return;
  throw new InvalidArgumentError(
    `${action}: wanted blocks of audio as sources give them, found ${fault}; ` +
      'fromFrames() makes blocks of Int16Array or Float32Array',
  );
}

function faultOf(block: unknown): string | undefined {
  if (typeof block !== 'object' || block === null || ArrayBuffer.isView(block) || Array.isArray(block)) {
    return kindOf(block);
  }
  const { startFrame, sampleRate, channels, samples } = block as Partial<AudioBlock>;
  if (!isArrayOf('Float32Array', samples)) return `samples that are ${kindOf(samples)}`;
  if (!isWhole(startFrame, 0)) return `startFrame ${startFrame}`;
  if (!isWhole(sampleRate, 1)) return `sampleRate ${sampleRate}`;
  if (!isWhole(channels, 1)) return `channels ${channels}`;
  if (samples.length % channels === 0) return undefined;
  return `${samples.length} samples of ${channels} channels`;
}

function isWhole(value: number | undefined, least: number): value is number {
  return Number.isSafeInteger(value) && value! >= least;
}

/** @throws InvalidArgumentError when a block differs from the first of its stream in rate or channels */
export function requireSameFormat(action: string, first: AudioBlock, block: AudioBlock): void {
  if (block.sampleRate === first.sampleRate && block.channels === first.channels) return;
  const describe = ({ sampleRate, channels }: AudioBlock) => `${sampleRate} Hz with ${channels} channels`;
  throw new InvalidArgumentError(
    `${action}: wanted ${describe(first)} as at the start of the stream, found ${describe(block)} at frame ${block.startFrame}`,
  );
}

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

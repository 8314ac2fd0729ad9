import type { DecoderShape } from './graphs/exposeAttention.ts';
import type { OnnxModel } from './graphs/onnxModel.ts';
import type { Runtime } from './runtime.ts';

/** A head of the cross-attention. */
export interface AttentionHead {
  readonly layer: number;
  readonly head: number;
}

/** The output of the decoder for some tokens of one beam. */
export interface DecoderStep {
  /** Natural logarithms of the probabilities of all tokens after each given token; valid until the next step. */
  readonly logProbabilities: Float32Array;
  /** Attention of each head at each given token; valid until the next step. */
  readonly attention: readonly Float32Array[];
}

/** The decoding of one utterance. It must be closed to free its memory. */
export interface MoonshineDecoding {
  /** Number of attention positions, 24 ms of audio each. */
  readonly positions: number;
  /**
   * Takes the next tokens of each beam, equally many. The first call has one beam, which begins with `START_TOKEN`.
   *
   * @param parents the beam of the last step that each beam continues. Default: the same beams go on
   */
  step(beams: readonly (readonly number[])[], parents?: readonly number[]): Promise<readonly DecoderStep[]>;
  /** Forgets all tokens of each beam after the first `count`. */
  truncate(count: number): void;
  close(): void;
}

export interface MoonshineModel {
  /** Heads whose attention each step returns. */
  readonly heads: readonly AttentionHead[];
  /** Frames before an utterance with which it is decoded. */
  readonly leadFrames: number;
  /** Encodes mono audio at 16 kHz, at least {@link LEAST_FRAMES}. */
  decode(audio: Float32Array): Promise<MoonshineDecoding>;
}

/** Files and settings from which a model is loaded. */
export interface LoadedParts {
  readonly runtime: Runtime;
  readonly encoder: OnnxModel;
  readonly decoder: OnnxModel;
  readonly shape: DecoderShape;
  readonly heads: readonly AttentionHead[];
  readonly leadFrames: number;
}

/** Audio before an utterance that is passed with it. */
export const LEAD_FRAMES = 0.1 * 16_000;

/** Frames of the shortest audio that the encoder accepts. */
export const LEAST_FRAMES = 0.3 * 16_000;
/** Frames of an encoder position: the strides of the convolutions, 64, 3 and 2. */
export const FRAMES_PER_POSITION = 384;

/** Returns the number of encoder positions of some frames of audio, by the lengths and strides of three convolutions. */
export function positionsOf(frames: number): number {
  const after = (count: number, kernel: number, stride: number) => Math.floor((count - kernel) / stride) + 1;
  return after(after(after(frames, 127, 64), 7, 3), 3, 2);
}

import { readFile } from 'node:fs/promises';
import { attentionOutput, exposeAttention, readDecoderShape } from './decoderGraph.ts';
import type { Runtime, RuntimeModel, Tensor } from './runtime.ts';
import { VOCABULARY_SIZE } from './tokens.ts';

/** Absolute paths of `encoder_model*.onnx` and `decoder_model_merged*.onnx`. */
export interface MoonshineFiles {
  readonly encoder: string;
  readonly decoder: string;
}

/** A head of the cross-attention. */
export interface AttentionHead {
  readonly layer: number;
  readonly head: number;
}

/** The output of the decoder for some tokens. */
export interface DecoderStep {
  /** Logits of all tokens after each given token; valid until the next step. */
  readonly logits: Float32Array;
  /** Attention of each head at each given token; valid until the next step. */
  readonly attention: readonly Float32Array[];
}

/** The decoding of one utterance. It must be closed to free its memory. */
export interface MoonshineDecoding {
  /** Number of attention positions, 24 ms of audio each. */
  readonly positions: number;
  /** Takes the next tokens. The first call begins with `START_TOKEN`. */
  step(tokens: readonly number[]): Promise<DecoderStep>;
  close(): void;
}

export interface MoonshineModel {
  /** Heads whose attention each step returns. */
  readonly heads: readonly AttentionHead[];
  /** Encodes mono audio at 16 kHz, at least {@link LEAST_FRAMES}. */
  decode(audio: Float32Array): Promise<MoonshineDecoding>;
}

/** Frames of the shortest audio that the encoder accepts. */
export const LEAST_FRAMES = 0.3 * 16_000;
/** Frames of an encoder position: the strides of the convolutions, 64, 3 and 2. */
export const FRAMES_PER_POSITION = 384;

/**
 * Heads of the tiny model that follow the audio best: those whose word times come nearest to manual ones, on
 * one recording of read English.
 */
const TINY_HEADS: readonly AttentionHead[] = [
  { layer: 5, head: 6 },
  { layer: 5, head: 4 },
  { layer: 3, head: 7 },
];
const TINY_LAYERS = 6;

/**
 * Loads an encoder and a decoder.
 *
 * @throws RxscribeError `engine-failed` when the files are not a Moonshine model
 */
export async function loadMoonshine(runtime: Runtime, files: MoonshineFiles): Promise<MoonshineModel> {
  const merged = await readFile(files.decoder);
  const { layers, heads: headCount, headSize } = readDecoderShape(merged);
  const heads = layers === TINY_LAYERS ? TINY_HEADS : upperHeads(layers, headCount);
  const attentionLayers = [...new Set(heads.map(({ layer }) => layer))];
  const encoder = await runtime.load([await readFile(files.encoder)]);
  const decoder = await runtime.load(exposeAttention(merged, attentionLayers));
  const names = memoryNames(layers);

  async function decode(audio: Float32Array): Promise<MoonshineDecoding> {
    const hidden = await encode(runtime, encoder, audio);
    const positions = hidden.shape[1]!;
    let memory: readonly Tensor[] = names.map(() =>
      runtime.floats(new Float32Array(0), [0, headCount, 1, headSize]),
    );
    let isFirst = true;

    async function step(tokens: readonly number[]): Promise<DecoderStep> {
      const rows = tokens.length;
      const ids = runtime.integers(tokens, [1, rows]);
      const flag = runtime.flag(!isFirst);
      const past = Object.fromEntries(names.map(({ past }, index) => [past, memory[index]!]));
      // Only the first step computes the cache of the audio.
      const renewed = names.filter(({ ofAudio }) => isFirst || !ofAudio);
      const attention = attentionLayers.map(layer => [
        attentionOutput(layer),
        [1, headCount, rows, positions],
      ]);
      const { kept, read } = await decoder.run(
        { input_ids: ids, encoder_hidden_states: hidden, use_cache_branch: flag, ...past },
        {
          keep: renewed.map(({ present }) => present),
          read: { logits: [1, rows, VOCABULARY_SIZE], ...Object.fromEntries(attention) },
        },
      );
      ids.release();
      flag.release();
      memory = names.map((name, index) => {
        const made = kept[renewed.indexOf(name)];
        if (made) memory[index]!.release();
        return made ?? memory[index]!;
      });
      isFirst = false;
      const size = rows * positions;
      return {
        logits: read.logits!,
        attention: heads.map(({ layer, head }) =>
          read[attentionOutput(layer)]!.subarray(head * size, (head + 1) * size),
        ),
      };
    }

    return {
      positions,
      step,
      close() {
        for (const tensor of [hidden, ...memory]) tensor.release();
      },
    };
  }
  return { heads, decode };
}

async function encode(runtime: Runtime, encoder: RuntimeModel, audio: Float32Array): Promise<Tensor> {
  const input = runtime.floats(audio, [1, audio.length]);
  try {
    const { kept } = await encoder.run({ input_values: input }, { keep: ['last_hidden_state'] });
    return kept[0]!;
  } finally {
    input.release();
  }
}

/** Returns the names of the decoder's cache inputs and outputs, for tokens and for audio. */
function memoryNames(layers: number) {
  return Array.from({ length: layers }, (_, layer) => layer).flatMap(layer =>
    ['decoder', 'encoder'].flatMap(of =>
      ['key', 'value'].map(part => ({
        past: `past_key_values.${layer}.${of}.${part}`,
        present: `present.${layer}.${of}.${part}`,
        ofAudio: of === 'encoder',
      })),
    ),
  );
}

/** Returns the heads of the upper layers, for models whose heads are not ranked. */
function upperHeads(layers: number, heads: number): readonly AttentionHead[] {
  const upper = Array.from({ length: Math.ceil(layers / 2) }, (_, index) => layers - 1 - index);
  return upper.flatMap(layer => Array.from({ length: heads }, (_, head) => ({ layer, head })));
}

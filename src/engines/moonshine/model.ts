import { readFile } from 'node:fs/promises';
import { attentionOutput, exposeAttention, gatherGraph, readDecoderShape } from './decoderGraph.ts';
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

/** The output of the decoder for some tokens of one beam. */
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
  /**
   * Takes the next tokens of each beam, equally many. The first call has one beam, which begins with `START_TOKEN`.
   *
   * @param parents the beam of the last step that each beam continues. Default: the same beams go on
   */
  step(beams: readonly (readonly number[])[], parents?: readonly number[]): Promise<readonly DecoderStep[]>;
  /** Forgets all tokens of each beam after the first `count`. */
  truncate(count: number): Promise<void>;
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
  const parts: DecoderParts = {
    runtime,
    decoder: await runtime.load(exposeAttention(merged, attentionLayers)),
    beams: await runtime.load(gatherGraph(BEAM_AXIS)),
    tokens: await runtime.load(gatherGraph(TOKEN_AXIS)),
    caches: cachesOf(layers),
    heads,
    headCount,
    headSize,
    attentionLayers,
  };
  return {
    heads,
    decode: async audio => new Decoding(parts, await encode(runtime, encoder, audio)),
  };
}

/** Dimensions of the tensors of the decoder's cache. */
const BEAM_AXIS = 0;
const TOKEN_AXIS = 2;

/** A tensor of the decoder's cache. */
interface Cache {
  /** Name of the input. */
  readonly past: string;
  /** Name of the output. */
  readonly present: string;
  /** True for the keys and values of the audio, which only the first step computes and all beams share. */
  readonly ofAudio: boolean;
}

interface DecoderParts {
  readonly runtime: Runtime;
  readonly decoder: RuntimeModel;
  /** Selects beams of a tensor. */
  readonly beams: RuntimeModel;
  /** Selects tokens of a tensor of the cache. */
  readonly tokens: RuntimeModel;
  readonly caches: readonly Cache[];
  readonly heads: readonly AttentionHead[];
  readonly headCount: number;
  readonly headSize: number;
  readonly attentionLayers: readonly number[];
}

/** The decoding of encoded audio, with the decoder's cache. */
class Decoding implements MoonshineDecoding {
  readonly positions: number;
  readonly #parts: DecoderParts;
  #hidden: Tensor;
  /** The tensors of `caches`. */
  #memory: readonly Tensor[];
  #isFirst = true;
  #beamCount = 1;

  constructor(parts: DecoderParts, hidden: Tensor) {
    const { runtime, caches, headCount, headSize } = parts;
    this.#parts = parts;
    this.#hidden = hidden;
    this.positions = hidden.shape[1] ?? 0;
    this.#memory = caches.map(() => runtime.floats(new Float32Array(0), [0, headCount, 1, headSize]));
  }

  async step(
    beams: readonly (readonly number[])[],
    parents?: readonly number[],
  ): Promise<readonly DecoderStep[]> {
    if (parents) await this.#inherit(parents);
    const { runtime, decoder, caches, attentionLayers, headCount } = this.#parts;
    const count = beams[0]?.length ?? 0;
    const ids = runtime.integers(beams.flat(), [beams.length, count]);
    const flag = runtime.flag(!this.#isFirst);
    const past = Object.fromEntries(caches.map(({ past }, index) => [past, this.#memory[index]!]));
    const renewed = caches.filter(({ ofAudio }) => this.#isFirst || !ofAudio);
    const shape = [beams.length, headCount, count, this.positions];
    const attention = attentionLayers.map(layer => [attentionOutput(layer), shape]);
    const { kept, read } = await decoder.run(
      { input_ids: ids, encoder_hidden_states: this.#hidden, use_cache_branch: flag, ...past },
      {
        keep: renewed.map(({ present }) => present),
        read: { logits: [beams.length, count, VOCABULARY_SIZE], ...Object.fromEntries(attention) },
      },
    );
    ids.release();
    flag.release();
    const made = new Map(renewed.map((cache, index) => [cache, kept[index]]));
    this.#memory = caches.map((cache, index) => replaced(this.#memory[index]!, made.get(cache)));
    this.#isFirst = false;
    return beams.map((_, beam) => this.#stepOf(read, beam, count));
  }

  async truncate(count: number): Promise<void> {
    const { tokens, caches } = this.#parts;
    const indexes = Array.from({ length: count }, (_, index) => index);
    await this.#select(
      tokens,
      indexes,
      caches.map(({ ofAudio }) => !ofAudio),
    );
  }

  close(): void {
    for (const tensor of [this.#hidden, ...this.#memory]) tensor.release();
  }

  /** Gives each beam the cache of its parent. */
  async #inherit(parents: readonly number[]): Promise<void> {
    const { beams, caches } = this.#parts;
    const isOther = parents.length !== this.#beamCount;
    if (!isOther && parents.every((parent, index) => parent === index)) return;
    if (isOther) this.#hidden = await this.#selected(beams, this.#hidden, parents);
    await this.#select(
      beams,
      parents,
      caches.map(({ ofAudio }) => isOther || !ofAudio),
    );
    this.#beamCount = parents.length;
  }

  /** Replaces the chosen tensors of the cache. */
  async #select(by: RuntimeModel, indexes: readonly number[], chosen: readonly boolean[]): Promise<void> {
    const memory: Tensor[] = [];
    for (const [index, tensor] of this.#memory.entries())
      memory.push(chosen[index] ? await this.#selected(by, tensor, indexes) : tensor);
    this.#memory = memory;
  }

  /** Replaces a tensor by some of its parts along a dimension. */
  async #selected(by: RuntimeModel, tensor: Tensor, indexes: readonly number[]): Promise<Tensor> {
    const wanted = this.#parts.runtime.integers(indexes, [indexes.length]);
    const { kept } = await by.run({ data: tensor, indexes: wanted }, { keep: ['selected'] });
    wanted.release();
    return replaced(tensor, kept[0]);
  }

  #stepOf(read: Readonly<Record<string, Float32Array>>, beam: number, count: number): DecoderStep {
    const { heads, headCount } = this.#parts;
    const part = (name: string, index: number, size: number) =>
      read[name]!.subarray(index * size, (index + 1) * size);
    return {
      logits: part('logits', beam, count * VOCABULARY_SIZE),
      attention: heads.map(({ layer, head }) =>
        part(attentionOutput(layer), beam * headCount + head, count * this.positions),
      ),
    };
  }
}

/** Releases a tensor that has a successor. */
function replaced(tensor: Tensor, successor: Tensor | undefined): Tensor {
  if (successor) tensor.release();
  return successor ?? tensor;
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

/** Returns the decoder's cache of tokens and of audio. */
function cachesOf(layers: number): readonly Cache[] {
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

import { encodeAudio } from './encodeAudio.ts';
import { attentionOutput, exposeAttention, LOG_PROBABILITIES } from './graphs/exposeAttention.ts';
import { writeModel } from './graphs/onnxModel.ts';
import {
  type DecoderStep,
  type LoadedParts,
  type MoonshineDecoding,
  type MoonshineModel,
  positionsOf,
} from './model.ts';
import type { FloatTensor, RuntimeModel } from './runtime.ts';
import { VOCABULARY_SIZE } from './tokens.ts';

/** Loads the graphs as they are, with additional outputs. */
export async function loadMerged({ encoder, decoder, ...parts }: LoadedParts): Promise<MoonshineModel> {
  const { runtime, shape, heads, leadFrames } = parts;
  const attentionLayers = [...new Set(heads.map(({ layer }) => layer))];
  const hear = await runtime.load(writeModel(encoder));
  const say = await runtime.load(writeModel(exposeAttention(decoder, attentionLayers)));
  return {
    ...{ heads, leadFrames },
    async decode(audio) {
      const sizes = [1, positionsOf(audio.length), shape.heads * shape.headSize];
      const hidden = await encodeAudio(runtime, hear, audio, ['last_hidden_state', sizes]);
      return new MergedDecoding({ ...parts, attentionLayers, decoder: say, hidden });
    },
  };
}

interface DecodingParts extends Pick<LoadedParts, 'runtime' | 'shape' | 'heads'> {
  readonly attentionLayers: readonly number[];
  readonly decoder: RuntimeModel;
  readonly hidden: FloatTensor;
}

/** Tensors by their names, without prefixes. Beams share those of the audio. */
type Cache = Readonly<Record<string, FloatTensor>>;

/** The decoding of encoded audio, one beam after the other. Each step makes a longer cache. */
class MergedDecoding implements MoonshineDecoding {
  readonly positions: number;
  readonly #parts: DecodingParts;
  #beams: readonly Cache[];
  #isFirst = true;
  /** Tokens of each beam in its cache. */
  #count = 0;
  /** The outputs of the last step. */
  #outputs: readonly FloatTensor[] = [];
  /** Tensors that are not released. */
  #tensors: readonly FloatTensor[];

  constructor(parts: DecodingParts) {
    const { runtime, shape, hidden } = parts;
    this.#parts = parts;
    this.positions = hidden.shape[1]!;
    const names = Array.from({ length: shape.layers }, (_, layer) =>
      ['decoder', 'encoder'].flatMap(of => ['key', 'value'].map(part => `${layer}.${of}.${part}`)),
    );
    const empty = runtime.floats([0, shape.heads, 1, shape.headSize]);
    this.#beams = [Object.fromEntries(names.flat().map(name => [name, empty]))];
    this.#tensors = [hidden, empty];
  }

  async step(
    beams: readonly (readonly number[])[],
    parents: readonly number[] = beams.map((_, beam) => beam),
  ): Promise<readonly DecoderStep[]> {
    const results = [];
    for (const [beam, tokens] of beams.entries()) {
      results.push(await this.#run(this.#beams[parents[beam]!]!, tokens));
    }
    this.#isFirst = false;
    this.#count += beams[0]!.length;
    this.#outputs = results.flatMap(({ outputs }) => outputs);
    this.#keep(results.map(({ cache }) => cache));
    return results.map(({ step }) => step);
  }

  truncate(count: number): void {
    this.#count = count;
    const cut = (tensor: FloatTensor) => {
      const [, heads = 0, length = 0, size = 0] = tensor.shape;
      const shorter = this.#parts.runtime.floats([1, heads, count, size]);
      for (let head = 0; head < heads; head++) {
        const from = head * length * size;
        shorter.values.set(tensor.values.subarray(from, from + count * size), head * count * size);
      }
      return shorter;
    };
    const shorter = (cache: Cache) =>
      Object.entries(cache).map(([name, tensor]) => [name, isOfAudio(name) ? tensor : cut(tensor)]);
    this.#keep(this.#beams.map(cache => Object.fromEntries(shorter(cache))));
  }

  close(): void {
    for (const tensor of this.#tensors) tensor.release();
  }

  /** Continues a beam. */
  async #run(before: Cache, tokens: readonly number[]) {
    const { runtime, shape, decoder, hidden, heads, attentionLayers } = this.#parts;
    const { positions } = this;
    const count = tokens.length;
    const ids = runtime.int64s(tokens, [1, count]);
    const flag = runtime.flag(!this.#isFirst);
    const likely = runtime.floats([1, count, VOCABULARY_SIZE]);
    const attention = attentionLayers.map(() => runtime.floats([1, shape.heads, count, positions]));
    // Keys and values of the audio are computed by the first step only.
    const renewed = Object.keys(before).filter(name => this.#isFirst || !isOfAudio(name));
    const made = renewed.map(name => {
      const length = isOfAudio(name) ? positions : this.#count + count;
      return [name, runtime.floats([1, shape.heads, length, shape.headSize])] as const;
    });
    await decoder.run(
      {
        ...{ input_ids: ids, encoder_hidden_states: hidden, use_cache_branch: flag },
        ...prefixed('past_key_values.', Object.entries(before)),
      },
      {
        [LOG_PROBABILITIES]: likely,
        ...prefixed(
          '',
          attention.map((tensor, index) => [attentionOutput(attentionLayers[index]!), tensor]),
        ),
        ...prefixed('present.', made),
      },
    );
    ids.release();
    flag.release();
    const size = count * positions;
    const attentionOf = ({ layer, head }: LoadedParts['heads'][number]) =>
      attention[attentionLayers.indexOf(layer)]!.values.subarray(head * size, (head + 1) * size);
    return {
      cache: { ...before, ...Object.fromEntries(made) },
      step: { logProbabilities: likely.values, attention: heads.map(attentionOf) },
      outputs: [likely, ...attention],
    };
  }

  /** Replaces the beams, and releases what nothing needs any more. */
  #keep(beams: readonly Cache[]): void {
    const caches = beams.flatMap(cache => Object.values(cache));
    const kept = new Set([this.#parts.hidden, ...this.#outputs, ...caches]);
    for (const tensor of this.#tensors) if (!kept.has(tensor)) tensor.release();
    this.#beams = beams;
    this.#tensors = [...kept];
  }
}

function isOfAudio(name: string): boolean {
  return name.includes('encoder');
}

function prefixed(prefix: string, tensors: readonly (readonly [string, FloatTensor])[]) {
  return Object.fromEntries(tensors.map(([name, tensor]) => [prefix + name, tensor]));
}

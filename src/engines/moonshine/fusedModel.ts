import { encodeAudio } from './encodeAudio.ts';
import { paddedHead } from './graphs/byteWeights.ts';
import { fusedDecoder } from './graphs/fusedDecoder.ts';
import { fusedEncoder } from './graphs/fusedEncoder.ts';
import { GraphBuilder, MICROSOFT } from './graphs/graphBuilder.ts';
import { readWeights } from './graphs/moonshineWeights.ts';
import { modelOf, writeModel } from './graphs/onnxModel.ts';
import {
  type DecoderStep,
  type LoadedParts,
  type MoonshineDecoding,
  type MoonshineModel,
  positionsOf,
} from './model.ts';
import { type FloatTensor, type Runtime, type RuntimeModel, sizeOf, type Tensor } from './runtime.ts';
import { VOCABULARY_SIZE } from './tokens.ts';

/** Tokens for which a cache has room at first, and by which it grows. */
const CACHE_TOKENS = 64;

/**
 * Loads the rewritten graphs.
 *
 * @throws UnknownGraphError when the graphs are not as known
 */
export async function loadFused({
  runtime,
  shape,
  heads,
  leadFrames,
  ...files
}: LoadedParts): Promise<MoonshineModel> {
  const isSigned = await multipliesSigned(runtime);
  const weights = readWeights(files.decoder, shape);
  const queryLayers = [...new Set(heads.map(({ layer }) => layer))];
  const encoder = await runtime.load(writeModel(fusedEncoder(files.encoder, weights, isSigned)));
  const decoder = await runtime.load(writeModel(fusedDecoder(weights, { queryLayers, isSigned })));
  return {
    ...{ heads, leadFrames },
    async decode(audio) {
      const sizes = [2 * shape.layers, shape.heads, positionsOf(audio.length), shape.headSize];
      const encoded = await encodeAudio(runtime, encoder, audio, ['audio', sizes]);
      return new FusedDecoding({ runtime, shape, heads, queryLayers, decoder, encoded });
    },
  };
}

/**
 * Returns whether products by signed bytes are fast and exact: x86 without VNNI adds pairs of them in 16 bits, which saturates.
 * WebAssembly multiplies them more slowly than unsigned ones.
 */
async function multipliesSigned(runtime: Runtime): Promise<boolean> {
  if (runtime.name === 'wasm') return false;
  const [rows, columns, most] = [64, 16, 255];
  const graph = new GraphBuilder(true);
  graph.product(graph.input('given', 'float', [1, rows]), 'product', {
    ...{ bytes: new Uint8Array(rows * columns).fill(most), rows, columns },
    ...{ scales: Float32Array.of(1), zeros: Uint8Array.of(128) },
  });
  graph.output('product', [1, columns]);
  const model = await runtime.load(writeModel(modelOf(graph.build(), { '': 17, [MICROSOFT]: 1 })));
  const [given, product] = [runtime.floats([1, rows]), runtime.floats([1, columns])];
  given.values.fill(most);
  await model.run({ given }, { product });
  const isExact = product.values.every(value => Math.abs(value - most * (most - 128) * rows) < 1);
  for (const tensor of [given, product]) tensor.release();
  return isExact;
}

interface DecodingParts extends Pick<LoadedParts, 'runtime' | 'shape' | 'heads'> {
  readonly queryLayers: readonly number[];
  readonly decoder: RuntimeModel;
  /** Keys and values of the audio for all layers, `[layers * 2, heads, positions, head]`. */
  readonly encoded: FloatTensor;
}

/** The decoding of encoded audio, with a cache that each step extends in place. */
class FusedDecoding implements MoonshineDecoding {
  readonly positions: number;
  readonly #parts: DecodingParts;
  readonly #audio: Readonly<Record<string, FloatTensor>>;
  /** The cache: keys and values of each layer, `[rows, heads, capacity, padded head]`. */
  #caches: readonly FloatTensor[] = [];
  /** The cache as the decoder gets it, for some rows. */
  #views: { readonly key: string; readonly tensors: readonly FloatTensor[] } = { key: '', tensors: [] };
  /** Row of the cache of each beam. With several beams, they have the first rows. */
  #rows: readonly number[] = [0];
  /** Tokens of each beam in the cache. */
  #count = 0;
  /** The outputs of the last step. */
  #made: readonly Tensor[] = [];

  constructor(parts: DecodingParts) {
    const { runtime, shape, encoded } = parts;
    this.#parts = parts;
    this.positions = encoded.shape[2]!;
    const sizes = [1, shape.heads, this.positions, shape.headSize];
    const each = shape.heads * this.positions * shape.headSize;
    const tensors = Array.from({ length: 2 * shape.layers }, (_, index) =>
      runtime.part(encoded, index * each, sizes),
    );
    this.#audio = cacheNamed('audio_', tensors);
  }

  async step(
    beams: readonly (readonly number[])[],
    parents?: readonly number[],
  ): Promise<readonly DecoderStep[]> {
    if (parents) this.#inherit(parents);
    const { runtime, shape, decoder, queryLayers } = this.#parts;
    const count = beams[0]!.length;
    const until = this.#count + count;
    this.#reserve(beams.length, until);
    const cache = this.#viewOf(beams.length === 1 ? this.#rows[0]! : 0, beams.length);
    // By the rows of the cache.
    const order = beams.length === 1 ? [0] : this.#rows;
    const tokens = order.map((_, row) => beams[order.indexOf(row)]!);
    const given = {
      tokens: runtime.int64s(tokens.flat(), [beams.length * count]),
      beam_shape: runtime.int64s([beams.length, count, 3 * shape.heads * paddedHead(shape.headSize)], [3]),
      before: runtime.int32s(new Array(beams.length).fill(until - 1), [beams.length]),
      total: runtime.int32s([until], [1]),
    };
    release(this.#made);
    const likely = runtime.floats([1, beams.length * count, VOCABULARY_SIZE]);
    const width = shape.heads * shape.headSize;
    const queries = queryLayers.map(() => runtime.floats([1, beams.length * count, width]));
    this.#made = [likely, ...queries];
    try {
      await decoder.run(
        { ...given, ...cacheNamed('', cache), ...this.#audio },
        {
          log_probabilities: likely,
          ...Object.fromEntries(queries.map((query, index) => [`query.${queryLayers[index]}`, query])),
          ...cacheNamed('new_', cache),
        },
      );
    } finally {
      release(Object.values(given));
    }
    this.#count = until;
    return beams.map((_, beam) => {
      const from = order[beam]! * count;
      return {
        logProbabilities: likely.values.subarray(from * VOCABULARY_SIZE, (from + count) * VOCABULARY_SIZE),
        attention: this.#attention(queries, from, count),
      };
    });
  }

  truncate(count: number): void {
    this.#count = count;
  }

  close(): void {
    release([...this.#made, ...Object.values(this.#audio), this.#parts.encoded]);
    this.#forget();
  }

  /** Gives each beam the row of its parent, or a copy. */
  #inherit(parents: readonly number[]): void {
    const rows = parents.map(parent => this.#rows[parent]!);
    this.#rows = rows;
    if (rows.length === 1) return;
    this.#reserve(rows.length, this.#count);
    const isKept = (row: number, beam: number) => row < rows.length && rows.indexOf(row) === beam;
    const free = rows.map((_, row) => row).filter(row => !rows.includes(row));
    this.#rows = rows.map((row, beam) => {
      if (isKept(row, beam)) return row;
      const copy = free.pop()!;
      for (const cache of this.#caches) copyRow(cache, row, cache, copy, this.#count);
      return copy;
    });
  }

  /** Makes room for rows of some tokens. */
  #reserve(rows: number, tokens: number): void {
    const [
      {
        shape: [hasRows, , hasTokens],
      } = { shape: [0, 0, 0] },
    ] = this.#caches;
    if (rows <= hasRows! && tokens <= hasTokens!) return;
    const { runtime, shape } = this.#parts;
    const capacity = Math.max(hasTokens!, Math.ceil(tokens / CACHE_TOKENS) * CACHE_TOKENS);
    const sizes = [Math.max(rows, hasRows!), shape.heads, capacity, paddedHead(shape.headSize)];
    const larger = Array.from({ length: 2 * shape.layers }, () => runtime.floats(sizes));
    for (const [index, cache] of this.#caches.entries()) {
      for (let row = 0; row < hasRows!; row++) copyRow(cache, row, larger[index]!, row, this.#count);
    }
    this.#forget();
    this.#caches = larger;
  }

  /** Returns the cache of some rows. */
  #viewOf(row: number, rows: number): readonly FloatTensor[] {
    const key = `${row}+${rows}`;
    if (this.#views.key === key) return this.#views.tensors;
    release(this.#views.tensors);
    const tensors = this.#caches.map(cache => {
      const [, ...sizes] = cache.shape;
      return this.#parts.runtime.part(cache, row * sizeOf(sizes), [rows, ...sizes]);
    });
    this.#views = { key, tensors };
    return tensors;
  }

  /** Returns the attention of each head at some tokens: softmax of the products of their queries and the keys of the audio. */
  #attention(queries: readonly FloatTensor[], from: number, count: number): readonly Float32Array[] {
    const { heads, queryLayers, shape, encoded } = this.#parts;
    const { positions } = this;
    const { heads: headCount, headSize } = shape;
    return heads.map(({ layer, head }) => {
      const query = queries[queryLayers.indexOf(layer)]!.values;
      const keysFrom = (2 * layer * headCount + head) * positions * headSize;
      const attention = new Float32Array(count * positions);
      for (let row = 0; row < count; row++) {
        const queryFrom = ((from + row) * headCount + head) * headSize;
        const products = attention.subarray(row * positions, (row + 1) * positions);
        for (let position = 0; position < positions; position++) {
          const at = keysFrom + position * headSize;
          let sum = 0;
          for (let index = 0; index < headSize; index++) {
            sum += query[queryFrom + index]! * encoded.values[at + index]!;
          }
          products[position] = sum / Math.sqrt(headSize);
        }
        softmax(products);
      }
      return attention;
    });
  }

  #forget(): void {
    release(this.#views.tensors);
    this.#views = { key: '', tensors: [] };
    release(this.#caches);
  }
}

/** Names tensors as inputs or outputs of the decoder. */
function cacheNamed(prefix: string, tensors: readonly FloatTensor[]): Readonly<Record<string, FloatTensor>> {
  return Object.fromEntries(
    tensors.map((tensor, index) => [`${prefix}${index % 2 === 0 ? 'key' : 'value'}.${index >> 1}`, tensor]),
  );
}

/** Copies the first tokens of each head of a row of a cache, `[rows, heads, capacity, head]`. */
function copyRow(from: FloatTensor, row: number, to: FloatTensor, target: number, tokens: number): void {
  const [, heads = 0, capacity = 0, size = 0] = from.shape;
  const room = to.shape[2]!;
  for (let head = 0; head < heads; head++) {
    const start = (row * heads + head) * capacity * size;
    to.values.set(from.values.subarray(start, start + tokens * size), (target * heads + head) * room * size);
  }
}

function softmax(values: Float32Array): void {
  const most = values.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  let sum = 0;
  for (let index = 0; index < values.length; index++) {
    values[index] = Math.exp(values[index]! - most);
    sum += values[index]!;
  }
  for (let index = 0; index < values.length; index++) values[index]! /= sum;
}

function release(tensors: readonly Tensor[]): void {
  for (const tensor of tensors) tensor.release();
}

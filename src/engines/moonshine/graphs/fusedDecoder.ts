import { type ByteWeights, paddedColumns, paddedHead, paddedRows, sideBySide } from './byteWeights.ts';
import { GraphBuilder, MICROSOFT } from './graphBuilder.ts';
import type { MoonshineWeights } from './moonshineWeights.ts';
import { modelOf, type OnnxModel } from './onnxModel.ts';

export interface FusedDecoderOptions {
  /** Layers whose queries to the audio are outputs, which word times need. */
  readonly queryLayers: readonly number[];
  /** True for weights as signed bytes. */
  readonly isSigned: boolean;
}

/** Tokens of the longest text: 100 s of speech. */
const MAX_TOKENS = 640;
const EPSILON = { float: 1e-5 };

/**
 * Builds the decoder from operators that compute as much as possible at once: 14 nodes a layer instead of 190.
 *
 * Inputs: `tokens` [rows], the new tokens of all beams, beam by beam; `beam_shape`, of their queries, keys and values by beam;
 * `before` [beams], tokens before the last of each beam; `total` [1], tokens of a beam in all; for each layer `key.N` and
 * `value.N` [beams, heads, capacity, padded head], the cache, which the outputs `new_key.N` and `new_value.N` extend in place,
 * and `audio_key.N` and `audio_value.N` [1, heads, positions, head].
 *
 * Outputs: `log_probabilities` [1, rows, vocabulary], and `query.N` [1, rows, width] of some layers.
 */
export function fusedDecoder(
  weights: MoonshineWeights,
  { queryLayers, isSigned }: FusedDecoderOptions,
): OnnxModel {
  const { shape, width, embedding } = weights;
  const builder = new DecoderBuilder(weights, new GraphBuilder(isSigned));
  const { graph } = builder;
  for (let layer = 0; layer < shape.layers; layer++) {
    builder.attendTokens(layer);
    const query = builder.attendAudio(layer);
    if (queryLayers.includes(layer)) graph.output(query, [1, 'rows', width]);
    builder.feedForward(layer);
  }
  const last = builder.normalised('norm', 'norm.weight');
  const logits = graph.product(last, 'logits', embedding);
  graph.node('LogSoftmax', [logits], 'log_probabilities', { axis: -1 });
  graph.output('log_probabilities', [1, 'rows', embedding.columns]);
  return modelOf(graph.build(), { '': 17, [MICROSOFT]: 1 });
}

/** Adds the parts of the decoder to a graph, in their order. */
class DecoderBuilder {
  readonly graph: GraphBuilder;
  readonly #weights: MoonshineWeights;
  readonly #scale: { readonly float: number };
  /** The residual, and what is still to be added to it. */
  #sum = 'embedded';
  #addend: string | undefined;

  constructor(weights: MoonshineWeights, graph: GraphBuilder) {
    const { heads, headSize } = weights.shape;
    this.graph = graph;
    this.#weights = weights;
    this.#scale = { float: 1 / Math.sqrt(headSize) };
    graph.input('tokens', 'int64', ['rows']);
    graph.input('beam_shape', 'int64', [3]);
    graph.input('before', 'int32', ['beams']);
    graph.input('total', 'int32', [1]);
    graph.rotation(MAX_TOKENS, weights.frequencies);
    graph.integers('row_shape', [1, -1, heads * paddedHead(headSize)]);
    this.#embed();
  }

  /** Adds `embedded` [1, rows, width], the columns of the tokens. The logits are the product by all columns. */
  #embed(): void {
    const { graph } = this;
    const { bytes, scale, zero } = graph.weights('logits', this.#weights.embedding);
    const columns = graph.node('Gather', [bytes, 'tokens'], 'columns', { axis: 1 });
    const floats = graph.node('DequantizeLinear', [columns, scale, zero], 'floats');
    const rows = graph.node('Transpose', [floats], 'embedded_rows', { perm: [1, 0] });
    graph.node('Unsqueeze', [rows, graph.integers('first_axis', [0])], 'embedded');
  }

  /** Adds the last result to the residual, and returns its norm. */
  normalised(name: string, vector: string): string {
    const { graph } = this;
    const { width } = this.#weights;
    const gamma = graph.constant(`${name}.weights`, [width], this.#weights.vector(vector));
    if (!this.#addend) {
      return graph.node('LayerNormalization', [this.#sum, gamma], name, { axis: -1, epsilon: EPSILON });
    }
    const inputs = [this.#sum, this.#addend, gamma];
    this.#sum = `${name}.sum`;
    return graph.fused('SkipLayerNormalization', inputs, [name, '', '', this.#sum], { epsilon: EPSILON });
  }

  attendTokens(layer: number): void {
    const { graph } = this;
    const { heads, headSize } = this.#weights.shape;
    const sizes = ['beams', heads, 'capacity', paddedHead(headSize)];
    const cache = ['key', 'value'].map(part => graph.input(`${part}.${layer}`, 'float', sizes));
    const renewed = cache.map(name => `new_${name}`);
    const parts = ['q', 'k', 'v'].map(part => this.#product(layer, `self_attn/${part}_proj`));
    const joined = sideBySide(parts.map(part => paddedColumns(part, headSize)));
    const input = this.normalised(`norm.${layer}`, `layers.${layer}.input_layernorm.weight`);
    const byRow = graph.product(input, `qkv.${layer}`, joined);
    const byBeam = graph.node('Reshape', [byRow, 'beam_shape'], `by_beam.${layer}`);
    const inputs = [byBeam, '', '', ...cache, 'before', 'total', 'cosines', 'sines'];
    const attended = graph.fused('GroupQueryAttention', inputs, [`attended.${layer}`, ...renewed], {
      ...{ num_heads: heads, kv_num_heads: heads, scale: this.#scale },
      ...{ do_rotary: 1, rotary_interleaved: 1 },
    });
    for (const name of renewed) graph.output(name, sizes);
    const rows = graph.node('Reshape', [attended, 'row_shape'], `attended_rows.${layer}`);
    const dense = paddedRows(this.#product(layer, 'self_attn/dense'), headSize);
    this.#addend = graph.product(rows, `dense.${layer}`, dense);
  }

  /** Returns the query. */
  attendAudio(layer: number): string {
    const { graph } = this;
    const { heads, headSize } = this.#weights.shape;
    const sizes = [1, heads, 'positions', headSize];
    const audio = ['key', 'value'].map(part => graph.input(`audio_${part}.${layer}`, 'float', sizes));
    const input = this.normalised(`audio_norm.${layer}`, `layers.${layer}.post_attention_layernorm.weight`);
    const query = graph.product(input, `query.${layer}`, this.#product(layer, 'encoder_attn/q_proj'));
    const attributes = { num_heads: heads, scale: this.#scale };
    const heard = graph.fused('MultiHeadAttention', [query, ...audio], `heard.${layer}`, attributes);
    this.#addend = graph.product(heard, `heard_dense.${layer}`, this.#product(layer, 'encoder_attn/dense'));
    return query;
  }

  feedForward(layer: number): void {
    const { graph } = this;
    const bias = (name: string) => this.#weights.vector(`layers.${layer}.mlp.${name}.bias`);
    const up = this.#product(layer, 'mlp/up_proj');
    const input = this.normalised(`mlp_norm.${layer}`, `layers.${layer}.final_layernorm.weight`);
    const both = graph.product(input, `up.${layer}`, up, bias('up_proj'));
    const halves = graph.integers('halves', [up.columns / 2, up.columns / 2]);
    const [value, gate] = [`up_value.${layer}`, `up_gate.${layer}`];
    graph.node('Split', [both, halves], [value, gate], { axis: -1 });
    const opened = graph.fused('QuickGelu', [gate], `opened.${layer}`, { alpha: { float: 1 } });
    const gated = graph.node('Mul', [opened, value], `gated.${layer}`);
    this.#addend = graph.product(
      gated,
      `down.${layer}`,
      this.#product(layer, 'mlp/down_proj'),
      bias('down_proj'),
    );
  }

  #product(layer: number, name: string): ByteWeights {
    return this.#weights.product(`layers.${layer}/${name}`);
  }
}

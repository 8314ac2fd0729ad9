import { RxscribeError } from '../../../base/errors.ts';
import { nodeOf, type OnnxGraph, type OnnxModel, type OnnxNode, valueNamed } from './onnxModel.ts';

/** Dimensions of a decoder, which depend on the size of the model. */
export interface DecoderShape {
  readonly layers: number;
  readonly heads: number;
  /** Length of a key or value of one head. */
  readonly headSize: number;
}

/** Returns the name of the output that {@link exposeAttention} adds for a layer. */
export function attentionOutput(layer: number): string {
  return `cross_attention.${layer}`;
}

/** The output that {@link exposeAttention} adds for the tokens. */
export const LOG_PROBABILITIES = 'log_probabilities';

/**
 * Reads the dimensions of a merged decoder (`decoder_model_merged.onnx`) from its inputs.
 *
 * @throws RxscribeError `engine-failed` for another model
 */
export function readDecoderShape({ graph }: OnnxModel): DecoderShape {
  const keys = graph.inputs.filter(({ name }) => /^past_key_values\.\d+\.decoder\.key$/.test(name));
  const [, heads, , headSize] = keys[0]?.type?.tensor?.shape?.sizes.map(({ value }) => value) ?? [];
  if (heads && headSize) return { layers: keys.length, heads, headSize };
  throw new RxscribeError('engine-failed', 'Cannot load Moonshine: the decoder is not a merged one.');
}

/**
 * Returns the model with log probabilities, and with the cross-attention of some layers, which gives the times of tokens, as
 * additional outputs.
 *
 * A merged decoder is one `If`, whose branches compute the attention of every layer without an output. It is added to the
 * outputs of both branches, of the `If` and of the graph.
 */
export function exposeAttention(model: OnnxModel, layers: readonly number[]): OnnxModel {
  const { graph } = model;
  const added = layers.map(layer => valueNamed(attentionOutput(layer), 'float'));
  const likely = nodeOf('LogSoftmax', ['logits'], [LOG_PROBABILITIES], { axis: -1 });
  return {
    ...model,
    graph: {
      ...graph,
      nodes: [...graph.nodes.map(node => (node.op === 'If' ? withAttention(node, layers) : node)), likely],
      outputs: [...graph.outputs, ...added, valueNamed(LOG_PROBABILITIES, 'float')],
    },
  };
}

function withAttention(choice: OnnxNode, layers: readonly number[]): OnnxNode {
  return {
    ...choice,
    outputs: [...choice.outputs, ...layers.map(attentionOutput)],
    attributes: choice.attributes.map(attribute =>
      attribute.graph ? { ...attribute, graph: withOutputs(attribute.graph, layers) } : attribute,
    ),
  };
}

function withOutputs(branch: OnnxGraph, layers: readonly number[]): OnnxGraph {
  const names = layers.map(layer => `/model/decoder/layers.${layer}/encoder_attn/Softmax_output_0`);
  return { ...branch, outputs: [...branch.outputs, ...names.map(name => valueNamed(name, 'float'))] };
}

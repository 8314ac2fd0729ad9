import { sideBySide } from './byteWeights.ts';
import { GraphBuilder, MICROSOFT, signedBytes } from './graphBuilder.ts';
import {
  finderOf,
  frequenciesOf,
  known,
  type MoonshineWeights,
  UnknownGraphError,
} from './moonshineWeights.ts';
import {
  nodeOf,
  type OnnxGraph,
  type OnnxModel,
  type OnnxNode,
  type OnnxTensor,
  type OnnxValue,
  tensorOf,
  valuesOf,
} from './onnxModel.ts';

type Content = Pick<OnnxGraph, 'nodes' | 'weights'>;

/** Positions of the longest audio: 48 s. */
const MAX_POSITIONS = 2000;
/** The attention of a layer, before its last product. */
const ATTENDED = /^\/layers\.\d+\/self_attn\/Reshape_5_output_0$/;

/**
 * Rewrites the encoder: the attention of a layer in three operators instead of 60, and as its only output `audio`
 * [layers * 2, heads, positions, head], the keys and values of the audio for all layers of the decoder.
 *
 * @throws UnknownGraphError
 */
export function fusedEncoder(encoder: OnnxModel, decoder: MoonshineWeights, isSigned: boolean): OnnxModel {
  const { layers, heads, headSize } = decoder.shape;
  const builder = new GraphBuilder(isSigned);
  const nodes = withFusedAttention(encoder.graph, decoder, builder);
  const products = Array.from({ length: layers }, (_, layer) =>
    ['k', 'v'].map(part => decoder.product(`layers.${layer}/encoder_attn/${part}_proj`)),
  );
  const flat = builder.product('last_hidden_state', 'audio_by_position', sideBySide(products.flat()));
  const shape = builder.integers('audio_shape', [-1, 2 * layers, heads, headSize]);
  const byHead = builder.node('Reshape', [flat, shape], 'audio_by_head');
  builder.node('Transpose', [byHead], 'audio', { perm: [1, 2, 0, 3] });
  builder.output('audio', [2 * layers, heads, 'positions', headSize]);
  const { outputs, ...added } = builder.build();
  const all = {
    nodes: [...nodes, ...added.nodes],
    weights: [...encoder.graph.weights, ...added.weights],
  };
  const content = needed(isSigned ? withSignedWeights(all) : all, outputs);
  return {
    ...encoder,
    graph: { ...encoder.graph, ...content, outputs },
    operators: [...encoder.operators, { domain: MICROSOFT, version: 1 }],
  };
}

function withFusedAttention(
  { nodes, weights }: OnnxGraph,
  { shape: { heads, headSize } }: MoonshineWeights,
  builder: GraphBuilder,
): readonly OnnxNode[] {
  const frequencies = frequenciesOf({ nodes }, finderOf(weights));
  const rotary = [builder.integers('first_position', [0]), ...builder.rotation(MAX_POSITIONS, frequencies)];
  const rotate = { interleaved: 1, num_heads: heads, rotary_embedding_dim: 2 * frequencies.length };
  const attend = { num_heads: heads, scale: { float: 1 / Math.sqrt(headSize) } };
  if (!nodes.some(isAttended)) throw new UnknownGraphError('no layer has attention');
  return nodes.flatMap(node => {
    if (!isAttended(node)) return [node];
    const [output] = node.outputs;
    const projected = (part: string) => known(output).replace('Reshape_5', `${part}_proj/MatMul`);
    const [query, key, value] = ['q', 'k', 'v'].map(projected) as [string, string, string];
    const turned = (name: string) =>
      nodeOf('RotaryEmbedding', [name, ...rotary], [`${name}.turned`], rotate, MICROSOFT);
    const inputs = [`${query}.turned`, `${key}.turned`, value];
    const attention = nodeOf('MultiHeadAttention', inputs, node.outputs, attend, MICROSOFT);
    return [turned(query), turned(key), attention];
  });
}

function isAttended({ outputs: [output = ''] }: OnnxNode): boolean {
  return ATTENDED.test(output);
}

/** Replaces the weights of products of bytes by signed ones. */
function withSignedWeights({ nodes, weights }: Content): Content {
  const names = new Set(
    nodes.flatMap(({ op, inputs }) => (op === 'MatMulInteger' ? [inputs[1], inputs[3]] : [])),
  );
  return { nodes, weights: weights.map(each => (names.has(each.name) ? signedTensor(each) : each)) };
}

function signedTensor(tensor: OnnxTensor): OnnxTensor {
  const values = valuesOf(tensor);
  return values instanceof Uint8Array ? tensorOf(tensor.name, tensor.shape, signedBytes(values)) : tensor;
}

/** Returns the nodes and weights on which outputs depend. */
function needed({ nodes, weights }: Content, outputs: readonly OnnxValue[]): Content {
  const wanted = new Set(outputs.map(({ name }) => name));
  const kept = nodes.toReversed().filter(node => {
    if (!node.outputs.some(output => wanted.has(output))) return false;
    for (const input of node.inputs) wanted.add(input);
    return true;
  });
  return { nodes: kept.toReversed(), weights: weights.filter(({ name }) => wanted.has(name)) };
}

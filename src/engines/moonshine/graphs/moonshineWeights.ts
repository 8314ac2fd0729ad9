import { type ByteWeights, transposed } from './byteWeights.ts';
import type { DecoderShape } from './exposeAttention.ts';
import { type OnnxGraph, type OnnxModel, type OnnxTensor, type TensorValues, valuesOf } from './onnxModel.ts';

/** The weights of a Moonshine, by the names that Optimum exports them with. */
export interface MoonshineWeights {
  readonly shape: DecoderShape;
  /** Length of a hidden state. */
  readonly width: number;
  /** Columns are tokens. */
  readonly embedding: ByteWeights;
  /** Returns the weights of a product, such as `layers.0/self_attn/q_proj`. */
  product(name: string): ByteWeights;
  /** Returns other weights, such as `norm.weight`. */
  vector(name: string): Float32Array;
  /** Angles by which the pairs of a query or key turn with each token. */
  readonly frequencies: Float32Array;
}

/** The graph is not that of a Moonshine as it is known: it must run as it is. */
export class UnknownGraphError extends Error {}

/** @throws UnknownGraphError */
export function readWeights(decoder: OnnxModel, shape: DecoderShape): MoonshineWeights {
  const choice = decoder.graph.nodes.find(({ op }) => op === 'If');
  const graph = known(choice?.attributes.find(({ name }) => name === 'else_branch')?.graph);
  const find = finderOf(decoder.graph.weights, graph.weights);
  const products = productsOf(graph);
  const embedding = transposed(bytesOf(find, 'model.decoder.embed_tokens.weight_merged_0_quantized'));
  return {
    shape,
    width: embedding.rows,
    embedding,
    product: name => bytesOf(find, known(products.get(`/model/decoder/${name}`))),
    vector: name => floatsOf(known(find(`model.decoder.${name}_merged_0`) ?? find(`model.decoder.${name}`))),
    frequencies: frequenciesOf(graph, find),
  };
}

/** Returns a function that finds weights by their names. */
export function finderOf(...lists: readonly (readonly OnnxTensor[])[]) {
  const tensors = new Map(lists.flat().map(each => [each.name, each]));
  return (name: string) => {
    const tensor = tensors.get(name);
    return tensor && { shape: tensor.shape, values: valuesOf(tensor) };
  };
}
type FindTensor = ReturnType<typeof finderOf>;

/** Returns the weights of a product by its node. Their scale and zero point are named alike. */
function bytesOf(find: FindTensor, name: string): ByteWeights {
  const part = (suffix: string) => known(find(name.replace(/_quantized$/, suffix))).values;
  const { shape, values } = known(find(name));
  const [rows, columns] = shape;
  const zeros = part('_zero_point');
  if (!rows || !columns || !(values instanceof Uint8Array) || !(zeros instanceof Uint8Array)) {
    throw new UnknownGraphError(name);
  }
  return { bytes: values, rows, columns, scales: floatsOf({ values: part('_scale') }), zeros };
}

/** Returns the angles of the rotary embedding of a graph. */
export function frequenciesOf({ nodes }: Pick<OnnxGraph, 'nodes'>, find: FindTensor): Float32Array {
  const product = nodes.find(({ op, outputs }) => op === 'MatMul' && /rotary_emb/.test(outputs[0]!));
  return floatsOf(known(find(known(product).inputs[0]!)));
}

/** Returns the names of the weights of products by the names of the products. */
function productsOf({ nodes }: OnnxGraph): ReadonlyMap<string, string> {
  const products = nodes.filter(({ op }) => op === 'MatMulInteger');
  const nameOf = (output = '') => output.replace(/\/MatMul_output_0_output_quantized$/, '');
  return new Map(products.map(({ outputs, inputs }) => [nameOf(outputs[0]), inputs[1]!]));
}

function floatsOf({ values }: { readonly values: TensorValues | undefined }): Float32Array {
  if (values instanceof Float32Array) return values;
  throw new UnknownGraphError('weights are no floats');
}

/** @throws UnknownGraphError when there is nothing */
export function known<T>(value: T | undefined): T {
  if (value === undefined) throw new UnknownGraphError('a part is missing');
  return value;
}

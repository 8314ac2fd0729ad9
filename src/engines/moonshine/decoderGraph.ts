import { RxscribeError } from '../../base/errors.ts';
import { contentOf, type ProtobufField, parseFields } from '../models/protobufField.ts';

/** Dimensions of a decoder, which depend on the size of the model. */
export interface DecoderShape {
  readonly layers: number;
  readonly heads: number;
  /** Length of a key or value of one head. */
  readonly headSize: number;
}

/** Numbers of fields in onnx.proto. */
const MODEL = { version: 1, graph: 7, operators: 8 } as const;
const OPERATORS = { version: 2 } as const;
const GRAPH = { node: 1, name: 2, input: 11, output: 12 } as const;
const NODE = { input: 1, output: 2, operator: 4, attribute: 5 } as const;
const ATTRIBUTE = { name: 1, integer: 3, graph: 6, type: 20 } as const;
const INTEGER_ATTRIBUTE = 2;
/** Versions of the format and of its operators, which ONNX Runtime has supported since 2021. */
const IR_VERSION = 7;
const OPERATOR_VERSION = 13;
const VALUE_INFO = { name: 1, type: 2 } as const;
/** Fields of a `TypeProto` with a tensor: `tensor_type`, `shape`, `dim`, `dim_value`. */
const SHAPE_PATH = [1, 2] as const;
const DIMENSION = 1;
const DIMENSION_VALUE = 1;
/** A tensor of floats, of any shape. */
const FLOAT_TENSOR = bytesField(1, [Uint8Array.of(8, 1)]);
/** A tensor of 64-bit integers. */
const INDEX_TENSOR = bytesField(1, [Uint8Array.of(8, 7)]);

/** Returns the name of the output that {@link exposeAttention} adds for a layer. */
export function attentionOutput(layer: number): string {
  return `cross_attention.${layer}`;
}

/**
 * Reads the dimensions of a merged decoder (`decoder_model_merged.onnx`) from its inputs.
 *
 * @throws RxscribeError `engine-failed` for another model
 */
export function readDecoderShape(model: Uint8Array): DecoderShape {
  const inputs = all(child(model, MODEL.graph), GRAPH.input).map(input => ({
    name: textOf(child(input, VALUE_INFO.name)),
    sizes: sizesOf(input),
  }));
  const keys = inputs.filter(({ name }) => /^past_key_values\.\d+\.decoder\.key$/.test(name));
  const [, heads, , headSize] = keys[0]?.sizes ?? [];
  if (heads && headSize) return { layers: keys.length, heads, headSize };
  throw new RxscribeError('engine-failed', 'Cannot load Moonshine: the decoder is not a merged one.');
}

/**
 * Returns the model with the cross-attention of some layers as additional outputs, which give the times of
 * tokens. The result consists of parts, most of them views of the given bytes, since a copy of the weights
 * would be large.
 *
 * A merged decoder is one `If`, whose branches compute the attention of every layer without an output. It is
 * added to the outputs of both branches, of the `If` and of the graph.
 */
export function exposeAttention(model: Uint8Array, layers: readonly number[]): Parts {
  const inner = layers.flatMap(layer =>
    valueInfo(`/model/decoder/layers.${layer}/encoder_attn/Softmax_output_0`),
  );
  const outputs = layers.flatMap(layer => bytesField(NODE.output, [utf8(attentionOutput(layer))]));
  const withBranchOutputs = (attribute: Uint8Array) =>
    rewritten(attribute, (number, graph) => (number === ATTRIBUTE.graph ? [graph, ...inner] : undefined));
  const withOutputs = (node: Uint8Array) => {
    if (textOf(child(node, NODE.operator)) !== 'If') return undefined;
    const changed = rewritten(node, (number, content) =>
      number === NODE.attribute ? withBranchOutputs(content) : undefined,
    );
    return [...changed, ...outputs];
  };
  return rewritten(model, (number, graph) => {
    if (number !== MODEL.graph) return undefined;
    const changed = rewritten(graph, (part, node) => (part === GRAPH.node ? withOutputs(node) : undefined));
    return [...changed, ...layers.flatMap(layer => valueInfo(attentionOutput(layer)))];
  });
}

/** Returns a model that selects parts of a tensor along a dimension: `selected` of the inputs `data` and `indexes`. */
export function gatherGraph(axis: number): Parts {
  const node = [
    ...['data', 'indexes'].flatMap(name => bytesField(NODE.input, [utf8(name)])),
    ...bytesField(NODE.output, [utf8('selected')]),
    ...bytesField(NODE.operator, [utf8('Gather')]),
    ...bytesField(NODE.attribute, [
      ...bytesField(ATTRIBUTE.name, [utf8('axis')]),
      ...varintField(ATTRIBUTE.integer, axis),
      ...varintField(ATTRIBUTE.type, INTEGER_ATTRIBUTE),
    ]),
  ];
  const graph = [
    ...bytesField(GRAPH.node, node),
    ...bytesField(GRAPH.name, [utf8('gather')]),
    ...bytesField(GRAPH.input, info('data', FLOAT_TENSOR)),
    ...bytesField(GRAPH.input, info('indexes', INDEX_TENSOR)),
    ...bytesField(GRAPH.output, info('selected', FLOAT_TENSOR)),
  ];
  return [
    ...varintField(MODEL.version, IR_VERSION),
    ...bytesField(MODEL.operators, varintField(OPERATORS.version, OPERATOR_VERSION)),
    ...bytesField(MODEL.graph, graph),
  ];
}

/** Consecutive bytes. */
type Parts = readonly Uint8Array[];

/** Returns an output of a graph. */
function valueInfo(name: string): Parts {
  return bytesField(GRAPH.output, info(name, FLOAT_TENSOR));
}

/** Returns the content of a `ValueInfoProto`. */
function info(name: string, type: Parts): Parts {
  return [...bytesField(VALUE_INFO.name, [utf8(name)]), ...bytesField(VALUE_INFO.type, type)];
}

function sizesOf(input: Uint8Array): readonly number[] {
  const shape = SHAPE_PATH.reduce(child, child(input, VALUE_INFO.type));
  // A variable size has a name instead of a value.
  return all(shape, DIMENSION).map(dimension => {
    const field = fieldsOf(dimension).find(({ number }) => number === DIMENSION_VALUE);
    return field ? varintOf(contentOf(dimension, field)) : 0;
  });
}

function varintOf(bytes: Uint8Array): number {
  return bytes.reduce((value, byte, index) => value + (byte & 0x7f) * 2 ** (7 * index), 0);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Returns the content of the first field with a number; empty without one. */
function child(message: Uint8Array, number: number): Uint8Array {
  return all(message, number)[0] ?? new Uint8Array(0);
}

function all(message: Uint8Array, number: number): readonly Uint8Array[] {
  return fieldsOf(message)
    .filter(field => field.number === number)
    .map(field => contentOf(message, field));
}

/** Rewrites a message: where `change` returns something for a field of bytes, that becomes its content. */
function rewritten(
  message: Uint8Array,
  change: (number: number, content: Uint8Array) => Parts | undefined,
): Parts {
  let from = 0;
  let unchangedFrom = 0;
  const parts: Uint8Array[] = [];
  for (const { number, start, length } of fieldsOf(message)) {
    const end = start + length;
    const content = change(number, message.subarray(start, end));
    if (content) {
      parts.push(message.subarray(unchangedFrom, from), ...bytesField(number, content));
      unchangedFrom = end;
    }
    from = end;
  }
  return [...parts, message.subarray(unchangedFrom)];
}

/** @throws RxscribeError `engine-failed` when the message is malformed or truncated */
function fieldsOf(message: Uint8Array): readonly ProtobufField[] {
  const fields = parseFields(message);
  if (fields) return fields;
  throw new RxscribeError('engine-failed', 'Cannot load Moonshine: the decoder is not an ONNX model.');
}

function bytesField(number: number, content: Parts): Parts {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  return [varint(number * 8 + 2), varint(length), ...content];
}

function varintField(number: number, value: number): Parts {
  return [varint(number * 8), varint(value)];
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

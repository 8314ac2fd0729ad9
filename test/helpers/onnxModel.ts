/** Writes ONNX models: the part of the protocol buffers of onnx.proto that small models need. */

export type ElementType = 'float' | 'int32' | 'int64' | 'bool';

export interface Tensor {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

/** An input or output; dimensions by name are free. */
export interface TensorInfo {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly (number | string)[];
}

export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Integers become integer attributes, lists of them integer lists, and models the branches of an `If`. */
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

type Attribute = number | readonly number[] | OnnxModel;

export interface OnnxModel {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  readonly nodes: readonly OnnxNode[];
  readonly weights?: readonly Tensor[];
  readonly metadata?: Readonly<Record<string, string | number>>;
}

/**
 * Reads inputs, outputs and nodes in the text form of ONNX.
 *
 * @example
 * onnxGraph(`
 *   (float[1, samples] input, float[1] loud) => (float[1, 1] output)
 *   power = ReduceMean<axes = [1]>(input)
 *   output = Sub(power, loud)
 * `)
 */
export function onnxGraph(text: string): Pick<OnnxModel, 'inputs' | 'outputs' | 'nodes'> {
  const lines = text.trim().split('\n');
  const first = lines.findIndex(line => / = \w+[<(]/.test(line));
  const [inputs = '', outputs = ''] = lines.slice(0, first).join(' ').split('=>');
  return { inputs: infosIn(inputs), outputs: infosIn(outputs), nodes: lines.slice(first).map(nodeIn) };
}

function infosIn(text: string): readonly TensorInfo[] {
  return [...text.matchAll(/(float|int32|int64|bool)\[(.*?)\] ([\w.]+)/g)].map(([, type, sizes, name]) => ({
    name: String(name),
    type: type as ElementType,
    shape: listIn(sizes).map(size => (/^\d+$/.test(size) ? Number(size) : size)),
  }));
}

/** Reads a node, such as `output = Transpose<perm = [0, 2, 1]>(input)`. */
export function nodeIn(text: string): OnnxNode {
  const [, outputs, op, attributes = '', inputs] =
    /^(.*?) = (\w+)(?:<(.*)>)?\((.*)\)$/.exec(text.trim()) ?? [];
  if (!op) throw new Error(`No node: ${text}`);
  return {
    op,
    inputs: listIn(inputs),
    outputs: listIn(outputs),
    attributes: JSON.parse(`{${attributes.replace(/(\w+) =/g, '"$1":')}}`),
  };
}

function listIn(text = ''): readonly string[] {
  return text.split(',').flatMap(part => part.trim() || []);
}

const ELEMENT_CODES: Readonly<Record<ElementType, number>> = { float: 1, int32: 6, int64: 7, bool: 9 };
const IR_VERSION = 8;
const OPSET_VERSION = 13;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_GRAPH = 5;
const ATTRIBUTE_INTS = 7;

/** The bytes of a model file. */
export function onnxModel(model: OnnxModel): Buffer {
  return Buffer.concat([
    number(1, IR_VERSION),
    message(7, graphBytes(model)),
    message(8, Buffer.concat([text(1, ''), number(2, OPSET_VERSION)])),
    ...Object.entries(model.metadata ?? {}).map(([key, value]) =>
      message(14, Buffer.concat([text(1, key), text(2, String(value))])),
    ),
  ]);
}

function graphBytes({ nodes, inputs, outputs, weights = [] }: OnnxModel): Buffer {
  return Buffer.concat([
    ...nodes.map(node => message(1, nodeBytes(node))),
    text(2, 'graph'),
    ...weights.map(weight => message(5, tensorBytes(weight))),
    ...inputs.map(input => message(11, infoBytes(input))),
    ...outputs.map(output => message(12, infoBytes(output))),
  ]);
}

function nodeBytes({ op, inputs, outputs, attributes = {} }: OnnxNode): Buffer {
  return Buffer.concat([
    ...inputs.map(input => text(1, input)),
    ...outputs.map(output => text(2, output)),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) => message(5, attributeBytes(name, value))),
  ]);
}

function attributeBytes(name: string, value: Attribute): Buffer {
  if (typeof value === 'number') {
    return Buffer.concat([text(1, name), number(3, value), number(20, ATTRIBUTE_INT)]);
  }
  if ('nodes' in value) {
    return Buffer.concat([text(1, name), message(6, graphBytes(value)), number(20, ATTRIBUTE_GRAPH)]);
  }
  return Buffer.concat([text(1, name), ...value.map(each => number(8, each)), number(20, ATTRIBUTE_INTS)]);
}

function tensorBytes({ name, type, shape, values }: Tensor): Buffer {
  const arrays = {
    float: () => new Float32Array(values),
    int32: () => new Int32Array(values),
    int64: () => new BigInt64Array(values.map(BigInt)),
    bool: () => new Uint8Array(values),
  };
  const { buffer } = arrays[type]();
  return Buffer.concat([
    ...shape.map(size => number(1, size)),
    number(2, ELEMENT_CODES[type]),
    text(8, name),
    message(9, Buffer.from(buffer)),
  ]);
}

function infoBytes({ name, type, shape }: TensorInfo): Buffer {
  const dimensions = shape.map(size =>
    message(1, typeof size === 'number' ? number(1, size) : text(2, size)),
  );
  const tensor = Buffer.concat([number(1, ELEMENT_CODES[type]), message(2, Buffer.concat(dimensions))]);
  return Buffer.concat([text(1, name), message(2, message(1, tensor))]);
}

function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(BigInt(field << 3)), varint(BigInt.asUintN(64, BigInt(value)))]);
}

function text(field: number, value: string): Buffer {
  return message(field, Buffer.from(value, 'utf8'));
}

function message(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(BigInt((field << 3) | 2)), varint(BigInt(bytes.length)), bytes]);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

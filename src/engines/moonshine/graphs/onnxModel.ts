import { RxscribeError } from '../../../base/errors.ts';
import { ModelMessage } from './onnxMessages.ts';

export interface OnnxModel {
  readonly graph: OnnxGraph;
  /** Versions of operators by their domains. */
  readonly operators: readonly { readonly domain?: string; readonly version: unknown }[];
}

export interface OnnxGraph {
  /** Each after those whose outputs it takes. */
  readonly nodes: readonly OnnxNode[];
  readonly weights: readonly OnnxTensor[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

export interface OnnxNode {
  readonly op: string;
  /** Domain of the operator. Default: that of ONNX. */
  readonly domain?: string;
  /** Names of tensors; empty for an optional one that is left out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: readonly OnnxAttribute[];
}

export interface OnnxAttribute {
  readonly name: string;
  readonly graph?: OnnxGraph;
}

/** Weights. Their values are in `bytes` or in one of the lists. */
export interface OnnxTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** One of {@link ELEMENTS}, or another. */
  readonly type: number;
  readonly bytes?: Uint8Array;
  readonly floats?: readonly number[];
  readonly integers?: readonly number[];
}

/** An input or output. */
export interface OnnxValue {
  readonly name: string;
  readonly type?: {
    readonly tensor?: {
      readonly element: number;
      /** Default: any. A size with a name is free. */
      readonly shape?: {
        readonly sizes: readonly { readonly value?: number; readonly name?: string }[];
      };
    };
  };
}

/** Types of elements by their code. */
const ELEMENTS = { 1: Float32Array, 2: Uint8Array, 3: Int8Array, 6: Int32Array, 7: BigInt64Array } as const;
export type TensorValues = Float32Array | Uint8Array | Int8Array | Int32Array | BigInt64Array;
const ELEMENT_CODES = { float: 1, int32: 6, int64: 7 } as const;
export type ElementName = keyof typeof ELEMENT_CODES;

/** Version of the format, which ONNX Runtime has supported since 2022. */
const FORMAT_VERSION = 8;
/** Types of attributes. */
const ATTRIBUTE_CODES = { float: 1, integer: 2, integers: 7 } as const;

/** @throws RxscribeError `engine-failed` when the bytes are malformed or truncated */
export function readModel(bytes: Uint8Array): OnnxModel {
  try {
    const { graph, ...model } = ModelMessage.toObject(ModelMessage.decode(bytes), { arrays: true });
    if (graph) return { ...model, graph } as OnnxModel;
  } catch {
    // The reason is an offset, which helps nobody.
  }
  throw new RxscribeError('engine-failed', 'Cannot load Moonshine: a file is not an ONNX model.');
}

/** Returns the model as the bytes of a file. */
export function writeModel(model: OnnxModel): Uint8Array {
  return ModelMessage.encode(model).finish();
}

/** Returns a model of a graph with operators of some versions by their domains. */
export function modelOf(graph: OnnxGraph, operators: Readonly<Record<string, number>>): OnnxModel {
  const sets = Object.entries(operators).map(([domain, version]) => ({ domain, version }));
  return { version: FORMAT_VERSION, operators: sets, graph: { name: 'graph', ...graph } } as OnnxModel;
}

/** A number is an integer. */
export type AttributeValue = number | readonly number[] | { readonly float: number };

export function nodeOf(
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Readonly<Record<string, AttributeValue>> = {},
  domain = '',
): OnnxNode {
  const values = Object.entries(attributes).map(([name, value]) => ({ name, ...attributeOf(value) }));
  return { op, domain, inputs, outputs, attributes: values };
}

function attributeOf(value: AttributeValue) {
  if (typeof value === 'number') return { integer: value, type: ATTRIBUTE_CODES.integer };
  if ('float' in value) return { ...value, type: ATTRIBUTE_CODES.float };
  return { integers: value, type: ATTRIBUTE_CODES.integers };
}

/** Returns an input or output; a size with a name is free. */
export function valueNamed(
  name: string,
  element: ElementName,
  shape?: readonly (number | string)[],
): OnnxValue {
  const sizes = shape?.map(size => (typeof size === 'number' ? { value: size } : { name: size }));
  return { name, type: { tensor: { element: ELEMENT_CODES[element], ...(sizes && { shape: { sizes } }) } } };
}

export function tensorOf(name: string, shape: readonly number[], values: TensorValues): OnnxTensor {
  const [code] = Object.entries(ELEMENTS).find(([, type]) => values instanceof type)!;
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return { name, shape, type: Number(code), bytes };
}

/** Returns the values of floats, bytes or integers; undefined for other elements. */
export function valuesOf({ type, bytes, floats = [], integers = [] }: OnnxTensor): TensorValues | undefined {
  const Element = ELEMENTS[type as keyof typeof ELEMENTS];
  if (bytes && Element === Uint8Array) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  // A copy is aligned, as views of floats must be.
  if (bytes && Element) return new Element(new Uint8Array(bytes).buffer);
  if (Element === Float32Array) return Float32Array.from(floats);
  if (Element === Uint8Array) return Uint8Array.from(integers);
  return undefined;
}

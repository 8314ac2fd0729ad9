import type { ByteWeights } from './byteWeights.ts';
import { known } from './moonshineWeights.ts';
import {
  type AttributeValue,
  type ElementName,
  nodeOf,
  type OnnxGraph,
  type OnnxNode,
  type OnnxTensor,
  type OnnxValue,
  type TensorValues,
  tensorOf,
  valueNamed,
} from './onnxModel.ts';

/** Domain of ONNX Runtime's own operators. */
export const MICROSOFT = 'com.microsoft';

/** A graph in the making. Methods that add a node return the name of its first output. */
export class GraphBuilder {
  readonly #nodes: OnnxNode[] = [];
  readonly #weights = new Map<string, OnnxTensor>();
  readonly #inputs: OnnxValue[] = [];
  readonly #outputs: OnnxValue[] = [];
  readonly #isSigned: boolean;

  /** @param isSigned stores the weights of products as signed bytes, see {@link signedBytes} */
  constructor(isSigned: boolean) {
    this.#isSigned = isSigned;
  }

  input(name: string, element: ElementName, shape: readonly (number | string)[]): string {
    this.#inputs.push(valueNamed(name, element, shape));
    return name;
  }

  output(name: string, shape: readonly (number | string)[]): void {
    this.#outputs.push(valueNamed(name, 'float', shape));
  }

  constant(name: string, shape: readonly number[], values: TensorValues): string {
    this.#weights.set(name, tensorOf(name, shape, values));
    return name;
  }

  integers(name: string, values: readonly number[]): string {
    return this.constant(name, [values.length], BigInt64Array.from(values, BigInt));
  }

  /** Adds `cosines` and `sines` of a rotary embedding for each place, `[places, frequencies]`. */
  rotation(places: number, frequencies: Float32Array): readonly [string, string] {
    const shape = [places, frequencies.length];
    const angles = new Float32Array(places * frequencies.length);
    for (let place = 0; place < places; place++) {
      angles.set(
        frequencies.map(frequency => place * frequency),
        place * frequencies.length,
      );
    }
    const tableOf = (name: string, wave: (angle: number) => number) =>
      this.constant(name, shape, angles.map(wave));
    return [tableOf('cosines', Math.cos), tableOf('sines', Math.sin)];
  }

  /** Adds an operator of ONNX. */
  node(
    op: string,
    inputs: readonly string[],
    outputs: string | readonly string[],
    attributes: Readonly<Record<string, AttributeValue>> = {},
  ): string {
    return this.#add(nodeOf(op, inputs, [outputs].flat(), attributes));
  }

  /** Adds an operator of ONNX Runtime. */
  fused(
    op: string,
    inputs: readonly string[],
    outputs: string | readonly string[],
    attributes: Readonly<Record<string, AttributeValue>> = {},
  ): string {
    return this.#add(nodeOf(op, inputs, [outputs].flat(), attributes, MICROSOFT));
  }

  /** Multiplies by weights; the input is rounded to bytes by one scale for all its rows. */
  product(input: string, name: string, weights: ByteWeights, bias?: Float32Array): string {
    const { bytes, scale, zero } = this.weights(name, weights);
    const added = bias ? [this.constant(`${name}.bias`, [bias.length], bias)] : [];
    return this.fused('DynamicQuantizeMatMul', [input, bytes, scale, zero, ...added], name);
  }

  /** Adds the weights of a product, once. */
  weights(name: string, { bytes, rows, columns, scales, zeros }: ByteWeights) {
    const names = { bytes: `${name}.bytes`, scale: `${name}.scale`, zero: `${name}.zero` };
    if (this.#weights.has(names.bytes)) return names;
    const perColumn = scales.length > 1 ? [columns] : [];
    this.constant(names.bytes, [rows, columns], this.#isSigned ? signedBytes(bytes) : bytes);
    this.constant(names.scale, perColumn, scales);
    this.constant(names.zero, perColumn, this.#isSigned ? signedBytes(zeros) : zeros);
    return names;
  }

  build(): OnnxGraph {
    const weights = [...this.#weights.values()];
    return { nodes: this.#nodes, weights, inputs: this.#inputs, outputs: this.#outputs };
  }

  #add(node: OnnxNode): string {
    this.#nodes.push(node);
    return known(node.outputs[0]);
  }
}

/**
 * Returns bytes less 128: weights with such a zero point give the same products. Processors with VNNI multiply unsigned bytes
 * of audio by signed ones of weights 2.4 times as fast as by unsigned ones.
 */
export function signedBytes(bytes: Uint8Array): Int8Array {
  const words = new Uint32Array(Math.ceil(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes);
  for (let index = 0; index < words.length; index++) words[index]! ^= 0x80_80_80_80;
  return new Int8Array(words.buffer, 0, bytes.length);
}

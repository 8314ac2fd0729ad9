/** A tensor in the memory of the runtime, until it is released. */
export interface Tensor {
  readonly shape: readonly number[];
  release(): void;
}

export interface FloatTensor extends Tensor {
  /** Row by row; may be read and written between runs. */
  readonly values: Float32Array;
}

/** A loaded model. One run at a time. */
export interface RuntimeModel {
  /** Computes outputs into tensors of their shapes. A tensor may be both an input and an output. */
  run(
    inputs: Readonly<Record<string, Tensor>>,
    outputs: Readonly<Record<string, FloatTensor>>,
  ): Promise<void>;
}

/** ONNX Runtime on the calling thread and one core. Tensors live outside the JavaScript heap and must be released. */
export interface Runtime {
  readonly name: 'native' | 'wasm';
  /**
   * Loads a model from the bytes of its file.
   *
   * @throws RxscribeError `engine-failed` when they are not a supported model
   */
  load(model: Uint8Array): Promise<RuntimeModel>;
  /** Creates a tensor of undefined values. */
  floats(shape: readonly number[]): FloatTensor;
  /** Returns a tensor over a part of the values of another, which must be released later. */
  part(whole: FloatTensor, from: number, shape: readonly number[]): FloatTensor;
  int32s(values: readonly number[], shape: readonly number[]): Tensor;
  int64s(values: readonly number[], shape: readonly number[]): Tensor;
  flag(value: boolean): Tensor;
}

export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

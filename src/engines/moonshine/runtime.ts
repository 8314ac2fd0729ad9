/** A tensor in the memory of the runtime, until it is released. */
export interface Tensor {
  readonly shape: readonly number[];
  release(): void;
}

export interface RunOutputs {
  /** Outputs for later runs; the caller releases them. */
  readonly keep?: readonly string[];
  /** Outputs to read, with their shapes. Their values are valid until the next run of any model. */
  readonly read?: Readonly<Record<string, readonly number[]>>;
}

export interface RunResult {
  /** In the order of `keep`. */
  readonly kept: readonly Tensor[];
  /** Values by name, row by row. */
  readonly read: Readonly<Record<string, Float32Array>>;
}

/** A loaded model. One run at a time. */
export interface RuntimeModel {
  run(inputs: Readonly<Record<string, Tensor>>, outputs: RunOutputs): Promise<RunResult>;
}

/**
 * ONNX Runtime on the calling thread and one core. It copies the values of tensors, which live outside the
 * JavaScript heap and must be released.
 */
export interface Runtime {
  readonly name: 'native' | 'wasm';
  /**
   * Loads a model from bytes in several parts.
   *
   * @throws RxscribeError `engine-failed` when they are not a supported model
   */
  load(model: readonly Uint8Array[]): Promise<RuntimeModel>;
  floats(values: Float32Array, shape: readonly number[]): Tensor;
  /** Creates a tensor of 64-bit integers. */
  integers(values: readonly number[], shape: readonly number[]): Tensor;
  flag(value: boolean): Tensor;
}

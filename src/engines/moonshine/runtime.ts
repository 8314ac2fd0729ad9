/** A tensor that stays in the memory of the runtime until it is released. */
export interface Tensor {
  readonly shape: readonly number[];
  release(): void;
}

export interface RunOutputs {
  /** Outputs that are fed to later runs; the caller releases them. */
  readonly keep?: readonly string[];
  /** Outputs that are read, with their shapes: their values are valid until the next run of any model. */
  readonly read?: Readonly<Record<string, readonly number[]>>;
}

export interface RunResult {
  /** In the order of `keep`. */
  readonly kept: readonly Tensor[];
  /** Values by name, row by row. */
  readonly read: Readonly<Record<string, Float32Array>>;
}

/** A model that is loaded. One run at a time. */
export interface RuntimeModel {
  run(inputs: Readonly<Record<string, Tensor>>, outputs: RunOutputs): Promise<RunResult>;
}

/**
 * ONNX Runtime, on the calling thread and one core. Values that a tensor is made of are copied.
 *
 * Its tensors live outside the JavaScript heap: whoever gets one releases it.
 */
export interface Runtime {
  readonly name: 'native' | 'wasm';
  /**
   * Loads a model whose bytes may come in several parts.
   *
   * @throws RxscribeError `engine-failed` when they are no model that it can run
   */
  load(model: readonly Uint8Array[]): Promise<RuntimeModel>;
  floats(values: Float32Array, shape: readonly number[]): Tensor;
  /** 64-bit integers. */
  integers(values: readonly number[], shape: readonly number[]): Tensor;
  flag(value: boolean): Tensor;
}

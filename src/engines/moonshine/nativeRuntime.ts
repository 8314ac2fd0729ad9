import { allocate, allocateAddresses, type NativeBlock, withCopy } from './nativeMemory.ts';
import { loadOrtApi, type OrtApi } from './ortApi.ts';
import type { RunOutputs, RunResult, Runtime, RuntimeModel, Tensor } from './runtime.ts';

/** Values of enumerations in onnxruntime_c_api.h. */
const LOG_FATAL = 4;
const OPTIMIZE_ALL = 99;
const ARENA_ALLOCATOR = 1;
const DEFAULT_MEMORY = 0;
const FLOAT = { code: 1, bytes: 4 } as const;
const INT64 = { code: 7, bytes: 8 } as const;
const BOOL = { code: 9, bytes: 1 } as const;
type ElementType = typeof FLOAT | typeof INT64 | typeof BOOL;

interface NativeTensor extends Tensor {
  readonly value: bigint;
}

/** The library with helpers. */
interface Native {
  readonly api: OrtApi;
  readonly memoryInfo: bigint;
  /** Returns the value that a function writes to its last argument. */
  made(name: Parameters<OrtApi['call']>[0], ...args: readonly (bigint | number | string)[]): bigint;
}

/**
 * Creates ONNX Runtime over its C interface, from a shared library.
 *
 * Calls block, and a crash of the library ends the process: it belongs in a child process. It uses one thread
 * and the memory arena; without either, a second of audio took three times the processor time.
 *
 * @throws RxscribeError `engine-missing` when the library cannot be loaded
 */
export function createNativeRuntime(library: string): Runtime {
  const api = loadOrtApi(library);
  const out = allocate(INT64.bytes);
  const written = new BigUint64Array(out.bytes);
  const made: Native['made'] = (name, ...args) => {
    api.call(name, ...args, out.address);
    return written[0]!;
  };
  const environment = made('CreateEnv', LOG_FATAL, 'rxscribe');
  const native: Native = {
    api,
    made,
    memoryInfo: made('CreateCpuMemoryInfo', ARENA_ALLOCATOR, DEFAULT_MEMORY),
  };
  return {
    name: 'native',
    load: async model => createModel(native, openSession(native, environment, model)),
    floats: (values, shape) => tensorOf(native, values, FLOAT, shape),
    integers: (values, shape) => tensorOf(native, BigInt64Array.from(values, BigInt), INT64, shape),
    flag: value => tensorOf(native, Uint8Array.of(value ? 1 : 0), BOOL, [1]),
  };
}

function openSession({ api, made }: Native, environment: bigint, model: readonly Uint8Array[]): bigint {
  const options = made('CreateSessionOptions');
  api.call('SetIntraOpNumThreads', options, 1);
  api.call('SetSessionGraphOptimizationLevel', options, OPTIMIZE_ALL);
  // Weights are copied: the bytes are not needed afterwards.
  return withCopy(model, (address, bytes) =>
    made('CreateSessionFromArray', environment, address, bytes, options),
  );
}

function createModel(native: Native, session: bigint): RuntimeModel {
  const addressOf = createNames();
  /** Blocks of the outputs by name, reused by the next run. */
  const staging = new Map<string, NativeBlock>();

  function stagingOf(name: string, shape: readonly number[]): NativeBlock {
    const bytes = sizeOf(shape) * FLOAT.bytes;
    const last = staging.get(name);
    if (last && last.bytes.byteLength >= bytes) return last;
    last?.free();
    const block = allocate(bytes);
    staging.set(name, block);
    return block;
  }

  function run(inputs: Readonly<Record<string, Tensor>>, { keep = [], read = {} }: RunOutputs): RunResult {
    const targets = Object.entries(read).map(([name, shape]) => {
      const block = stagingOf(name, shape);
      return { name, shape, block, tensor: tensorOver(native, block, FLOAT, shape) };
    });
    const names = allocateAddresses(Object.keys(inputs).map(addressOf));
    const values = allocateAddresses(Object.values(inputs).map(input => (input as NativeTensor).value));
    const outputNames = allocateAddresses([...keep, ...Object.keys(read)].map(addressOf));
    // ONNX Runtime allocates the outputs that are null.
    const outputs = allocateAddresses([...keep.map(() => 0n), ...targets.map(({ tensor }) => tensor.value)]);
    try {
      native.api.call(
        'Run',
        ...[session, 0n, names.address, values.address, Object.keys(inputs).length],
        ...[outputNames.address, keep.length + targets.length, outputs.address],
      );
      const made = new BigUint64Array(outputs.bytes);
      return {
        kept: keep.map((_, index) => keptTensor(native, made[index]!)),
        read: Object.fromEntries(
          targets.map(({ name, shape, block }) => [name, new Float32Array(block.bytes, 0, sizeOf(shape))]),
        ),
      };
    } finally {
      for (const { tensor } of targets) tensor.release();
      for (const block of [names, values, outputNames, outputs]) block.free();
    }
  }
  return { run: async (inputs, outputs) => run(inputs, outputs) };
}

/** Returns a function that caches names as C strings. */
function createNames(): (name: string) => bigint {
  const addresses = new Map<string, bigint>();
  return name => {
    const known = addresses.get(name);
    if (known !== undefined) return known;
    const bytes = new TextEncoder().encode(`${name}\0`);
    const block = allocate(bytes.length);
    new Uint8Array(block.bytes).set(bytes);
    addresses.set(name, block.address);
    return block.address;
  };
}

/** Wraps a tensor that a run made. */
function keptTensor(native: Native, value: bigint): NativeTensor {
  return {
    value,
    get shape() {
      return shapeOf(native, value);
    },
    release: () => native.api.release('ReleaseValue', value),
  };
}

function shapeOf({ api, made }: Native, value: bigint): readonly number[] {
  const info = made('GetTensorTypeAndShape', value);
  const rank = Number(made('GetDimensionsCount', info));
  const dimensions = allocate(rank * INT64.bytes);
  try {
    api.call('GetDimensions', info, dimensions.address, rank);
    return Array.from(new BigInt64Array(dimensions.bytes, 0, rank), Number);
  } finally {
    dimensions.free();
    api.release('ReleaseTensorTypeAndShapeInfo', info);
  }
}

/** Creates a tensor from a copy of values. */
function tensorOf(
  native: Native,
  values: Float32Array | BigInt64Array | Uint8Array,
  type: ElementType,
  shape: readonly number[],
): NativeTensor {
  const block = allocate(values.byteLength);
  new Uint8Array(block.bytes).set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  const tensor = tensorOver(native, block, type, shape);
  return {
    ...tensor,
    release() {
      tensor.release();
      block.free();
    },
  };
}

/** Creates a tensor over the values of a block. */
function tensorOver(
  { api, made, memoryInfo }: Native,
  block: NativeBlock,
  type: ElementType,
  shape: readonly number[],
): NativeTensor {
  const dimensions = allocateAddresses(shape.map(BigInt));
  try {
    const value = made(
      'CreateTensorWithDataAsOrtValue',
      ...[memoryInfo, block.address, sizeOf(shape) * type.bytes, dimensions.address, shape.length, type.code],
    );
    return { value, shape, release: () => api.release('ReleaseValue', value) };
  } finally {
    dimensions.free();
  }
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

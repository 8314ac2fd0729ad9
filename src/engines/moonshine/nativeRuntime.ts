import { allocate, allocateAddresses, type NativeBlock } from './nativeMemory.ts';
import { loadOrtApi, type OrtApi } from './ortApi.ts';
import { type FloatTensor, type Runtime, type RuntimeModel, sizeOf, type Tensor } from './runtime.ts';

/** Values of enumerations in onnxruntime_c_api.h. */
const LOG_FATAL = 4;
const OPTIMIZE_ALL = 99;
const ARENA_ALLOCATOR = 1;
const DEFAULT_MEMORY = 0;
const FLOAT = { code: 1, bytes: 4 } as const;
const INT32 = { code: 6, bytes: 4 } as const;
const INT64 = { code: 7, bytes: 8 } as const;
const BOOL = { code: 9, bytes: 1 } as const;
type ElementType = typeof FLOAT | typeof INT32 | typeof INT64 | typeof BOOL;

interface NativeTensor extends Tensor {
  readonly value: bigint;
}

interface NativeFloats extends NativeTensor, FloatTensor {
  readonly address: bigint;
}

/** The library with helpers. */
interface Native {
  readonly api: OrtApi;
  readonly memoryInfo: bigint;
  /** Returns the value that a function writes to its last argument. */
  made(
    name: Parameters<OrtApi['call']>[0],
    ...args: readonly (bigint | number | string | Uint8Array)[]
  ): bigint;
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
    floats: shape => floatsOf(native, shape),
    part(whole, from, shape) {
      const { address, values } = whole as NativeFloats;
      const start = address + BigInt(from * FLOAT.bytes);
      const part = tensorAt(native, start, FLOAT, shape);
      return { ...part, address: start, values: values.subarray(from, from + sizeOf(shape)) };
    },
    int32s: (values, shape) => tensorOf(native, Int32Array.from(values), INT32, shape),
    int64s: (values, shape) => tensorOf(native, BigInt64Array.from(values, BigInt), INT64, shape),
    flag: value => tensorOf(native, Uint8Array.of(value ? 1 : 0), BOOL, [1]),
  };
}

function openSession({ api, made }: Native, environment: bigint, model: Uint8Array): bigint {
  const options = made('CreateSessionOptions');
  api.call('SetIntraOpNumThreads', options, 1);
  api.call('SetSessionGraphOptimizationLevel', options, OPTIMIZE_ALL);
  // Weights are copied: the bytes are not needed afterwards.
  return made('CreateSessionFromArray', environment, model, model.length, options);
}

function createModel(native: Native, session: bigint): RuntimeModel {
  const addressOf = createNames();
  const addressesOf = (tensors: Readonly<Record<string, Tensor>>) =>
    [
      allocateAddresses(Object.keys(tensors).map(addressOf)),
      allocateAddresses(Object.values(tensors).map(tensor => (tensor as NativeTensor).value)),
    ] as const;
  return {
    async run(inputs, outputs) {
      const [names, values] = addressesOf(inputs);
      const [outputNames, targets] = addressesOf(outputs);
      try {
        native.api.call(
          'Run',
          ...[session, 0n, names.address, values.address, Object.keys(inputs).length],
          ...[outputNames.address, Object.keys(outputs).length, targets.address],
        );
      } finally {
        for (const block of [names, values, outputNames, targets]) block.free();
      }
    },
  };
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

function floatsOf(native: Native, shape: readonly number[]): NativeFloats {
  const size = sizeOf(shape);
  const block = allocate(size * FLOAT.bytes);
  const tensor = tensorAt(native, block.address, FLOAT, shape);
  return { ...owning(tensor, block), address: block.address, values: new Float32Array(block.bytes, 0, size) };
}

/** Creates a tensor from a copy of values. */
function tensorOf(
  native: Native,
  values: Int32Array | BigInt64Array | Uint8Array,
  type: ElementType,
  shape: readonly number[],
): NativeTensor {
  const block = allocate(values.byteLength);
  new Uint8Array(block.bytes).set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  return owning(tensorAt(native, block.address, type, shape), block);
}

/** Returns a tensor that frees a block when it is released. */
function owning(tensor: NativeTensor, block: NativeBlock): NativeTensor {
  const release = () => {
    tensor.release();
    block.free();
  };
  return { ...tensor, release };
}

/** Creates a tensor over the values at an address. */
function tensorAt(
  { api, made, memoryInfo }: Native,
  address: bigint,
  type: ElementType,
  shape: readonly number[],
): NativeTensor {
  const dimensions = allocateAddresses(shape.map(BigInt));
  try {
    const value = made(
      'CreateTensorWithDataAsOrtValue',
      ...[memoryInfo, address, sizeOf(shape) * type.bytes, dimensions.address, shape.length, type.code],
    );
    return { value, shape, release: () => api.release('ReleaseValue', value) };
  } finally {
    dimensions.free();
  }
}

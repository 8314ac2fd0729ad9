import { RxscribeError, reasonOf } from '../../base/errors.ts';
import { koffi, type LibraryHandle } from '../native/koffi.ts';

/** An address; koffi has no separate type. */
export type Address = bigint;

/** Version of the function table; later versions keep its positions. */
const API_VERSION = 14;

/**
 * The functions of `OrtApi` (onnxruntime_c_api.h) in use: position in the table, and type.
 *
 * Addresses are plain numbers here: koffi copies JavaScript values only for the duration of a call, while
 * ONNX Runtime keeps the addresses of tensors.
 */
const FUNCTIONS = {
  GetErrorMessage: [2, 'str GetErrorMessage(uint64_t status)'],
  CreateEnv: [3, 'uint64_t CreateEnv(int level, str id, uint64_t out)'],
  CreateSessionFromArray: [
    8,
    'uint64_t CreateSessionFromArray(uint64_t env, const uint8_t *model, size_t bytes, uint64_t options, uint64_t out)',
  ],
  Run: [
    9,
    'uint64_t Run(uint64_t session, uint64_t options, uint64_t names, uint64_t inputs, size_t count, uint64_t outputNames, size_t outputCount, uint64_t outputs)',
  ],
  CreateSessionOptions: [10, 'uint64_t CreateSessionOptions(uint64_t out)'],
  SetSessionGraphOptimizationLevel: [
    23,
    'uint64_t SetSessionGraphOptimizationLevel(uint64_t options, int level)',
  ],
  SetIntraOpNumThreads: [24, 'uint64_t SetIntraOpNumThreads(uint64_t options, int threads)'],
  CreateTensorWithDataAsOrtValue: [
    49,
    'uint64_t CreateTensorWithDataAsOrtValue(uint64_t memory, uint64_t data, size_t bytes, uint64_t shape, size_t rank, int type, uint64_t out)',
  ],
  CreateCpuMemoryInfo: [69, 'uint64_t CreateCpuMemoryInfo(int allocator, int type, uint64_t out)'],
  ReleaseStatus: [93, 'void ReleaseStatus(uint64_t status)'],
  ReleaseValue: [96, 'void ReleaseValue(uint64_t value)'],
} as const satisfies Record<string, readonly [place: number, type: string]>;

type FunctionName = keyof typeof FUNCTIONS;
/** A number, a string, an address, or bytes that are there during the call. */
type Argument = number | bigint | string | Uint8Array;

export type OrtApi = ReturnType<typeof loadOrtApi>;

/**
 * Libraries in use. koffi unloads a library once its handle is collected, and function addresses in ONNX
 * Runtime's table do not keep the handle alive: the next call would crash.
 */
const loaded: LibraryHandle[] = [];

/** Memory outside the JavaScript heap, which never moves. */
export interface NativeMemory {
  readonly address: Address;
  readonly bytes: ArrayBuffer;
  /** Returns the memory to the system. `bytes` must not be used afterwards. */
  free(): void;
}

export function allocateMemory(size: number): NativeMemory {
  const address: Address = koffi.alloc('uint8_t', size);
  return { address, bytes: koffi.view(address, size), free: () => koffi.free(address) };
}

/**
 * Loads the function table of the library.
 *
 * @throws RxscribeError `engine-missing` when it cannot be loaded or is too old
 */
export function loadOrtApi(path: string) {
  const table = openTable(path);
  const functions = new Map(
    Object.entries(FUNCTIONS).map(([name, [place, type]]) => [
      name,
      { address: table[place]!, type: koffi.proto(type) },
    ]),
  );
  const invoke = (name: string, args: readonly Argument[]) => {
    const { address, type } = functions.get(name)!;
    return koffi.call(address, type, ...args);
  };
  return {
    /**
     * Calls a function that returns a status.
     *
     * @throws RxscribeError `engine-failed` with the message of a status that is not OK
     */
    call(name: Exclude<FunctionName, `Release${string}` | 'GetErrorMessage'>, ...args: Argument[]) {
      const status = BigInt(invoke(name, args));
      if (status === 0n) return;
      const message = String(invoke('GetErrorMessage', [status]));
      invoke('ReleaseStatus', [status]);
      throw new RxscribeError('engine-failed', `Cannot run ONNX Runtime: ${reasonOf(message)}.`);
    },
    release: (name: Extract<FunctionName, `Release${string}`>, address: Address) =>
      void invoke(name, [address]),
  };
}

function openTable(path: string): readonly Address[] {
  try {
    const library = koffi.load(path);
    loaded.push(library);
    // The first member of OrtApiBase is GetApi.
    const base = library.func('void *OrtGetApiBase()')();
    const api = koffi.call(koffi.decode(base, 'void *'), koffi.proto('void *GetApi(uint32_t)'), API_VERSION);
    if (!api) throw new Error(`it has no version ${API_VERSION} of the interface`);
    const places = Object.values(FUNCTIONS).map(([place]) => place);
    return koffi.decode(api, koffi.array('void *', Math.max(...places) + 1));
  } catch (cause) {
    throw new RxscribeError(
      'engine-missing',
      `Cannot load ONNX Runtime from '${path}': ${reasonOf(cause)}.`,
      {
        cause,
      },
    );
  }
}

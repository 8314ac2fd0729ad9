import type { Tensor as OrtTensor } from 'onnxruntime-web';
import { RxscribeError, reasonOf } from '../../base/errors.ts';
import { type FloatTensor, type Runtime, type RuntimeModel, sizeOf, type Tensor } from './runtime.ts';

interface WasmTensor extends Tensor {
  readonly tensor: OrtTensor;
}

/**
 * Creates ONNX Runtime as WebAssembly, with the package onnxruntime-web: for platforms without the native
 * library.
 *
 * @throws RxscribeError `engine-missing` when onnxruntime-web is not installed
 */
export async function createWasmRuntime(): Promise<Runtime> {
  const ort = await importRuntime();
  const wrapped = (tensor: OrtTensor): WasmTensor => ({
    tensor,
    shape: tensor.dims,
    release: () => tensor.dispose(),
  });
  const floats = (values: Float32Array, shape: readonly number[]): WasmTensor & FloatTensor => ({
    ...wrapped(new ort.Tensor('float32', values, shape)),
    values,
  });
  return {
    name: 'wasm',
    async load(model): Promise<RuntimeModel> {
      const session = await ort.InferenceSession.create(model, {
        executionProviders: ['wasm'],
      }).catch(cause => {
        throw new RxscribeError('engine-failed', `Cannot run ONNX Runtime: ${reasonOf(cause)}.`, { cause });
      });
      return {
        async run(inputs, outputs) {
          const feeds = Object.fromEntries(
            Object.entries(inputs).map(([name, input]) => [name, (input as WasmTensor).tensor]),
          );
          const made = await session.run(feeds, Object.keys(outputs));
          for (const [name, { values }] of Object.entries(outputs)) {
            values.set(made[name]!.data as Float32Array);
          }
        },
      };
    },
    floats: shape => floats(new Float32Array(sizeOf(shape)), shape),
    part(whole, from, shape) {
      return floats((whole as FloatTensor).values.subarray(from, from + sizeOf(shape)), shape);
    },
    int32s: (values, shape) => wrapped(new ort.Tensor('int32', Int32Array.from(values), shape)),
    int64s: (values, shape) => wrapped(new ort.Tensor('int64', BigInt64Array.from(values, BigInt), shape)),
    flag: value => wrapped(new ort.Tensor('bool', [value], [1])),
  };
}

/** Loads onnxruntime-web for one thread: more threads would compete with other sessions. */
async function importRuntime(): Promise<typeof import('onnxruntime-web')> {
  const ort = await import('onnxruntime-web').catch(cause => {
    const isMissing = cause?.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing)
      throw new RxscribeError('engine-failed', `Cannot load ONNX Runtime: ${reasonOf(cause)}.`, { cause });
    const message =
      "Cannot load ONNX Runtime: the package onnxruntime-web is not installed. Run 'npm install onnxruntime-web'.";
    throw new RxscribeError('engine-missing', message, { cause });
  });
  ort.env.logLevel = 'error';
  ort.env.wasm.numThreads = 1;
  return ort;
}

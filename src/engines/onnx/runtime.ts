import { readFile } from 'node:fs/promises';
import type { InferenceSession, Tensor } from 'onnxruntime-web';
import { RxscribeError, reasonOf } from '../../base/errors.ts';

export type OnnxSession = InferenceSession;
export type OnnxTensor = Tensor;

/** ONNX Runtime for child processes: it computes on the calling thread. */
export type OnnxRuntime = Awaited<ReturnType<typeof loadRuntime>>;

/**
 * Loads onnxruntime-web for one thread: more threads would compete with other sessions.
 *
 * @throws RxscribeError `engine-missing` when it is not installed
 */
export async function importRuntime(): Promise<typeof import('onnxruntime-web')> {
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

/** @throws RxscribeError `engine-missing` when onnxruntime-web is not installed */
export async function loadRuntime() {
  const ort = await importRuntime();
  return {
    /**
     * Opens a model.
     *
     * @throws RxscribeError `engine-failed` when the file is not a supported model
     */
    async open(path: string) {
      try {
        return await ort.InferenceSession.create(await readFile(path), { executionProviders: ['wasm'] });
      } catch (cause) {
        throw new RxscribeError('engine-failed', `Cannot open the model '${path}': ${reasonOf(cause)}.`, {
          cause,
        });
      }
    },
    float: (values: Float32Array, shape: readonly number[]) => new ort.Tensor('float32', values, shape),
    /** Creates a tensor of integers, in the type of that input of the model. */
    whole(session: OnnxSession, input: string, values: readonly number[], shape: readonly number[]) {
      if (tensorOf(session, input).type === 'int32')
        return new ort.Tensor('int32', Int32Array.from(values), shape);
      return new ort.Tensor('int64', BigInt64Array.from(values, BigInt), shape);
    },
    flag: (value: boolean) => new ort.Tensor('bool', [value], [1]),
  };
}

/**
 * Returns the sizes of an input, a name for each variable one.
 *
 * @throws RxscribeError `engine-failed` when the input does not exist
 */
export function shapeOf(session: OnnxSession, input: string): readonly (number | string)[] {
  const found = tensorOf(session, input);
  return found.shape;
}

function tensorOf(session: OnnxSession, input: string): InferenceSession.TensorValueMetadata {
  const found = session.inputMetadata.find(({ name }) => name === input);
  if (found?.isTensor) return found;
  const names = session.inputNames.join(', ');
  throw new RxscribeError(
    'engine-failed',
    `Cannot run the model: it has no input '${input}' (inputs: ${names}).`,
  );
}

/** Returns the probabilities of logits; empty without logits. */
export function softmax(logits: ArrayLike<number>): number[] {
  const values = Array.from(logits);
  // Relative to the largest, so that no power overflows.
  const largest = values.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  const powers = values.map(value => Math.exp(value - largest));
  const sum = powers.reduce((one, other) => one + other, 0);
  return powers.map(power => power / sum);
}

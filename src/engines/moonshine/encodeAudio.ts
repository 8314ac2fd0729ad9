import type { FloatTensor, Runtime, RuntimeModel } from './runtime.ts';

/** Encodes mono audio at 16 kHz to the only output of an encoder, by its name and shape. */
export async function encodeAudio(
  runtime: Runtime,
  encoder: RuntimeModel,
  samples: Float32Array,
  [name, shape]: readonly [string, readonly number[]],
): Promise<FloatTensor> {
  const input = runtime.floats([1, samples.length]);
  input.values.set(samples);
  const output = runtime.floats(shape);
  try {
    await encoder.run({ input_values: input }, { [name]: output });
    return output;
  } catch (error) {
    output.release();
    throw error;
  } finally {
    input.release();
  }
}

/** Samples from -1 to 1. */
export function toFloats(samples: Int16Array): Float32Array {
  return Float32Array.from(samples, sample => sample / 32_768);
}

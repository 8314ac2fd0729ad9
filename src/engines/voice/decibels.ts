/** Returns the level of samples in decibels above a step of 16-bit samples; digital silence has 0 dB. */
export function decibelsOf(samples: Int16Array | Float32Array): number {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  return 10 * Math.log10(1 + energy / samples.length);
}

/** Writes the power of the bins from 0 to half the size, of as many real samples as the size. */
export type PowerSpectrum = (samples: Float64Array, power: Float64Array) => void;

/**
 * The power spectrum of frames of one size, a power of two, by the fast Fourier transform of Cooley and Tukey, "An
 * algorithm for the machine calculation of complex Fourier series" (1965): radix 2, decimation in time.
 */
export function createPowerSpectrum(size: number): PowerSpectrum {
  const [re, im] = [new Float64Array(size), new Float64Array(size)];
  const cos = Float64Array.from({ length: size / 2 }, (_, k) => Math.cos((2 * Math.PI * k) / size));
  const sin = Float64Array.from({ length: size / 2 }, (_, k) => Math.sin((2 * Math.PI * k) / size));
  const reversed = reversedBits(size);

  function transform(): void {
    for (let half = 1; half < size; half *= 2) {
      const step = size / (2 * half);
      for (let start = 0; start < size; start += 2 * half) {
        for (let k = 0; k < half; k++) {
          const [low, high] = [start + k, start + k + half];
          const [c, s] = [cos[k * step]!, sin[k * step]!];
          const re2 = re[high]! * c + im[high]! * s;
          const im2 = im[high]! * c - re[high]! * s;
          re[high] = re[low]! - re2;
          im[high] = im[low]! - im2;
          re[low]! += re2;
          im[low]! += im2;
        }
      }
    }
  }

  return (samples, power) => {
    for (let i = 0; i < size; i++) re[i] = samples[reversed[i]!]!;
    im.fill(0);
    transform();
    for (let k = 0; k <= size / 2; k++) power[k] = re[k]! * re[k]! + im[k]! * im[k]!;
  };
}

function reversedBits(size: number): Uint32Array {
  const reversed = new Uint32Array(size);
  for (let i = 1; i < size; i++) reversed[i] = (reversed[i >> 1]! >> 1) | (i & 1 ? size >> 1 : 0);
  return reversed;
}

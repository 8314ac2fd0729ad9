/** Coefficients of a window: c1 to c16. c0 is the level, which does not identify a speaker. */
export const COEFFICIENTS = 16;
/** Frames at 16 kHz of a window: 25 ms. */
export const MFCC_FRAMES = 400;

const RATE = 16_000;
const FFT_SIZE = 512;
const FILTERS = 26;
const LOWEST_HZ = 100;
const HIGHEST_HZ = 7600;
const PRE_EMPHASIS = 0.97;
/** Least power in a filter: that of noise of one step of 16-bit samples. */
const FLOOR = 100;

/** Writes the coefficients of {@link MFCC_FRAMES} samples at 16 kHz. */
type Mfcc = (samples: Int16Array, coefficients: Float32Array) => void;

/**
 * Creates the mel-frequency cepstral coefficients of Davis and Mermelstein, "Comparison of parametric
 * representations for monosyllabic word recognition in continuously spoken sentences" (1980), with 26
 * triangular filters from 100 to 7600 Hz.
 */
export function createMfcc(): Mfcc {
  const spectrum = createPowerSpectrum(FFT_SIZE);
  const hamming = Float64Array.from(
    { length: MFCC_FRAMES },
    (_, i) => 0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (MFCC_FRAMES - 1)),
  );
  const cosines = Float64Array.from({ length: COEFFICIENTS * FILTERS }, (_, i) =>
    Math.cos((Math.PI * (1 + Math.floor(i / FILTERS)) * ((i % FILTERS) + 0.5)) / FILTERS),
  );
  const filters = melFilters();
  const frame = new Float64Array(FFT_SIZE);
  const power = new Float64Array(FFT_SIZE / 2 + 1);
  const logs = new Float64Array(FILTERS);
  return (samples, coefficients) => {
    for (let i = 0; i < MFCC_FRAMES; i++) {
      frame[i] = hamming[i]! * (samples[i]! - PRE_EMPHASIS * samples[Math.max(0, i - 1)]!);
    }
    spectrum(frame, power);
    for (const [index, { firstBin, weights }] of filters.entries()) {
      let sum = FLOOR;
      for (let k = 0; k < weights.length; k++) sum += weights[k]! * power[firstBin + k]!;
      logs[index] = Math.log(sum);
    }
    for (let c = 0; c < COEFFICIENTS; c++) {
      let sum = 0;
      for (let index = 0; index < FILTERS; index++) sum += cosines[c * FILTERS + index]! * logs[index]!;
      coefficients[c] = sum;
    }
  };
}

interface Filter {
  readonly firstBin: number;
  readonly weights: readonly number[];
}

function melFilters(): readonly Filter[] {
  const mel = (hz: number) => 2595 * Math.log10(1 + hz / 700);
  const step = (mel(HIGHEST_HZ) - mel(LOWEST_HZ)) / (FILTERS + 1);
  const bins = Array.from(
    { length: FFT_SIZE / 2 + 1 },
    (_, k) => (mel((k * RATE) / FFT_SIZE) - mel(LOWEST_HZ)) / step,
  );
  return Array.from({ length: FILTERS }, (_, index) => {
    const weights = bins.map(bin => Math.max(0, 1 - Math.abs(bin - index - 1)));
    const firstBin = weights.findIndex(weight => weight > 0);
    return { firstBin, weights: weights.slice(firstBin).filter(weight => weight > 0) };
  });
}

/** Writes the power of the bins from 0 to half the size, from real samples of that size. */
type PowerSpectrum = (samples: Float64Array, power: Float64Array) => void;

/**
 * Creates the power spectrum of frames of one size, a power of two, by the fast Fourier transform of Cooley
 * and Tukey, "An algorithm for the machine calculation of complex Fourier series" (1965): radix 2, decimation
 * in time.
 */
function createPowerSpectrum(size: number): PowerSpectrum {
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

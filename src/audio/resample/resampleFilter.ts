/** The low-pass filter of one ratio of rates, sampled at every needed phase. */
export interface ResampleFilter {
  /** Output rate / input rate is `up / down`, in lowest terms. */
  readonly up: number;
  readonly down: number;
  /** Input frames per output frame; a multiple of {@link TAPS_STEP}. */
  readonly taps: number;
  /** Rows of the table: `up`, but at most {@link MAX_PHASES}. */
  readonly phases: number;
  /** `phases + 1` rows of `taps` coefficients; row p is delayed by p / phases of an input frame against row 0. */
  readonly table: Float32Array;
}

/** Attenuation of aliases and images, in dB. */
const STOP_BAND_DB = 98;

/** End of the pass band and start of the stop band, as fractions of the lower Nyquist frequency. */
const PASS_EDGE = 0.8;
const STOP_EDGE = 1;

/** Taps that the kernel multiplies in one step. */
const TAPS_STEP = 16;

/**
 * Maximum phases of a table: enough for every ratio of common rates (11.025 to 16 kHz has 640). For a ratio with more, such as
 * 47.999 to 16 kHz, values between two rows are interpolated, with an error of (pi / 640)^2 / 8, that is, -110 dB. So no table
 * has more than 641 rows, 0.5 MB from 48 kHz and 8 MB from 384 kHz to 8 kHz.
 */
const MAX_PHASES = 640;

/**
 * Designs a windowed sinc with a Kaiser window: linear phase, flat to 80 % of the lower Nyquist frequency (ripple below
 * 0.001 dB), 98 dB down above it.
 *
 * Source of length and shape: J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function",
 * 1974; also Oppenheim and Schafer, "Discrete-Time Signal Processing", section 7.5.3.
 */
export function designResampleFilter(inputRate: number, outputRate: number): ResampleFilter {
  const divisor = greatestCommonDivisor(inputRate, outputRate);
  const up = outputRate / divisor;
  const scale = Math.min(1, outputRate / inputRate);
  const transition = Math.PI * (STOP_EDGE - PASS_EDGE) * scale;
  const wanted = (STOP_BAND_DB - 7.95) / (2.285 * transition);
  const taps = Math.ceil(wanted / TAPS_STEP) * TAPS_STEP;
  // Rounding up made the filter longer than needed; use the surplus for the stop band.
  const attenuationDb = 2.285 * transition * taps + 7.95;
  const phases = Math.min(up, MAX_PHASES);
  const cutoff = (scale * (PASS_EDGE + STOP_EDGE)) / 2;
  const table = tabulate(taps, phases, cutoff, 0.1102 * (attenuationDb - 8.7));
  return { up, down: inputRate / divisor, taps, phases, table };
}

function tabulate(taps: number, phases: number, cutoff: number, beta: number): Float32Array {
  const table = new Float32Array((phases + 1) * taps);
  const row = new Float64Array(taps);
  for (let phase = 0; phase <= phases; phase++) {
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      const time = tap - (taps / 2 - 1) - phase / phases;
      row[tap] = sinc(cutoff * time) * kaiserWindow((2 * time) / taps, beta);
      sum += row[tap]!;
    }
    // Normalise each row by its own sum, so that a constant input stays exactly constant.
    for (let tap = 0; tap < taps; tap++) table[phase * taps + tap] = row[tap]! / sum;
  }
  return table;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** Returns the Kaiser window over -1 to 1, without its constant factor. */
function kaiserWindow(position: number, beta: number): number {
  return besselI0(beta * Math.sqrt(Math.max(0, 1 - position * position)));
}

/** Returns the modified Bessel function of order 0, from its power series. */
function besselI0(x: number): number {
  const quarter = (x * x) / 4;
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-17; k++) {
    term *= quarter / (k * k);
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** Sample rate of the audio that Whisper takes, in Hz. */
export const WHISPER_SAMPLE_RATE = 16_000;
/** Frames of Whisper's input: 30 s. Shorter audio is padded with silence. */
export const WHISPER_FRAMES = 30 * WHISPER_SAMPLE_RATE;
/** Columns of the spectrogram, one for each 10 ms. */
export const MEL_COLUMNS = 3000;

const WINDOW = 400;
const HOP = 160;
const BINS = WINDOW / 2 + 1;

/**
 * Returns the log-mel spectrogram of Whisper (`log_mel_spectrogram` in openai/whisper's audio.py) of up to 30
 * s of audio.
 *
 * Hann windows of 25 ms every 10 ms, centred and mirrored at the ends; power; mel bands; log10 of at least
 * 1e-10; at most 8 below the maximum; (x + 4) / 4. Values are ordered by band, {@link MEL_COLUMNS} each.
 */
export function melSpectrogram(audio: Int16Array, bands: number): Float32Array {
  const filters = melFilters({ sampleRate: WHISPER_SAMPLE_RATE, windowFrames: WINDOW, count: bands });
  const padded = mirrored(audio);
  const result = new Float32Array(bands * MEL_COLUMNS);
  const power = new Float64Array(BINS);
  let largest = -10;
  for (let column = 0; column < MEL_COLUMNS; column++) {
    powerSpectrum(padded.subarray(column * HOP, column * HOP + WINDOW), power);
    for (const [band, { firstBin, weights }] of filters.entries()) {
      let energy = 0;
      for (let index = 0; index < weights.length; index++)
        energy += weights[index]! * power[firstBin + index]!;
      const value = Math.log10(Math.max(energy, 1e-10));
      result[band * MEL_COLUMNS + column] = value;
      largest = Math.max(largest, value);
    }
  }
  for (let index = 0; index < result.length; index++) {
    result[index] = (Math.max(result[index]!, largest - 8) + 4) / 4;
  }
  return result;
}

/** Returns 30 s, with half a window mirrored before and after, as samples from -1 to 1. */
function mirrored(audio: Int16Array): Float64Array {
  const half = WINDOW / 2;
  const padded = new Float64Array(WHISPER_FRAMES + WINDOW);
  const length = Math.min(audio.length, WHISPER_FRAMES);
  for (let index = 0; index < length; index++) padded[half + index] = audio[index]! / 32_768;
  const last = half + WHISPER_FRAMES - 1;
  for (let index = 1; index <= half; index++) {
    padded[half - index] = padded[half + index]!;
    padded[last + index] = padded[last - index]!;
  }
  return padded;
}

const HANN = Float64Array.from(
  { length: WINDOW },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / WINDOW),
);
const COSINES = Float64Array.from({ length: WINDOW }, (_, at) => Math.cos((2 * Math.PI * at) / WINDOW));

/**
 * Computes the Fourier transform by its definition, with the two halves folded: 400 is not a power of two.
 */
function powerSpectrum(samples: Float64Array, power: Float64Array): void {
  const half = WINDOW / 2;
  const even = new Float64Array(half + 1);
  const odd = new Float64Array(half + 1);
  let isSilent = true;
  for (let at = 0; at <= half; at++) {
    const one = samples[at]! * HANN[at]!;
    // The first and the middle sample have no counterpart.
    const other = at === 0 || at === half ? 0 : samples[WINDOW - at]! * HANN[WINDOW - at]!;
    even[at] = one + other;
    odd[at] = one - other;
    if (one !== 0 || other !== 0) isSilent = false;
  }
  if (isSilent) return void power.fill(0);
  for (let bin = 0; bin < BINS; bin++) {
    let real = 0;
    let imaginary = 0;
    for (let at = 0, phase = 0; at <= half; at++) {
      real += even[at]! * COSINES[phase]!;
      // A sine is a cosine shifted by a quarter period.
      imaginary += odd[at]! * COSINES[phase >= 100 ? phase - 100 : phase + 300]!;
      phase += bin;
      if (phase >= WINDOW) phase -= WINDOW;
    }
    power[bin] = real * real + imaginary * imaginary;
  }
}

/** A triangle on the mel scale: a run of weights of spectrum bins. */
interface MelFilter {
  readonly firstBin: number;
  readonly weights: Float64Array;
}

/**
 * Returns the mel filters of Whisper, `librosa.filters.mel(sr, n_fft, n_mels)`: Slaney's scale (linear up to
 * 1 kHz, logarithmic above) from 0 to half the sample rate, and triangles of equal area.
 *
 * @example
 * melFilters({ sampleRate: 16_000, windowFrames: 400, count: 80 })[0].weights[0] // 0.0248, at bin 1
 */
export function melFilters(options: {
  readonly sampleRate: number;
  readonly windowFrames: number;
  readonly count: number;
}): readonly MelFilter[] {
  const { sampleRate, windowFrames, count } = options;
  const top = melOf(sampleRate / 2);
  const corner = (index: number) => frequencyOf((top * index) / (count + 1));
  const bins = Array.from({ length: windowFrames / 2 + 1 }, (_, bin) => (bin * sampleRate) / windowFrames);
  return Array.from({ length: count }, (_, index) => {
    const [low, middle, high] = [corner(index), corner(index + 1), corner(index + 2)];
    const weights = bins.map(frequency => {
      const slope = Math.min((frequency - low) / (middle - low), (high - frequency) / (high - middle));
      return (2 / (high - low)) * Math.max(0, slope);
    });
    const firstBin = Math.max(
      0,
      weights.findIndex(weight => weight > 0),
    );
    const end = weights.findLastIndex(weight => weight > 0) + 1;
    return { firstBin, weights: Float64Array.from(weights.slice(firstBin, end)) };
  });
}

const LINEAR_STEP = 200 / 3;
const BEND = 1000;
const LOG_STEP = Math.log(6.4) / 27;

function melOf(frequency: number): number {
  return frequency < BEND
    ? frequency / LINEAR_STEP
    : BEND / LINEAR_STEP + Math.log(frequency / BEND) / LOG_STEP;
}

function frequencyOf(mel: number): number {
  const bend = BEND / LINEAR_STEP;
  return mel < bend ? mel * LINEAR_STEP : BEND * Math.exp((mel - bend) * LOG_STEP);
}

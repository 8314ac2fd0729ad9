/** Triangles on the mel scale, each a run of weights on bins of a spectrum. */
export interface MelFilter {
  readonly firstBin: number;
  readonly weights: Float64Array;
}

/**
 * The mel filters of Whisper: `librosa.filters.mel(sr, n_fft, n_mels)`, that is, Slaney's scale (linear up to 1 kHz,
 * logarithmic above) from 0 to half the rate, and triangles of the same area.
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

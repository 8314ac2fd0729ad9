/** Effect of a change of rate on a tone. */
export interface ToneResponse {
  /** Level of the tone that comes out, in dB of the one that went in; -Infinity above the new Nyquist frequency. */
  readonly gainDb: number;
  /** Time that it comes out too late, in seconds, within half a period. */
  readonly delaySeconds: number;
  /** Output other than the tone, in dB of the input tone: alias, images, noise. */
  readonly residueDb: number;
}

export interface Rates {
  readonly inputRate: number;
  readonly outputRate: number;
}

const SECONDS = 0.4;

/** Sends a tone through, and looks at the middle of what comes out: a tone that begins or ends is not one. */
export function toneResponse(
  resample: (samples: Float32Array) => Float32Array,
  { inputRate, outputRate }: Rates,
  frequency: number,
): ToneResponse {
  const amplitude = 0.9;
  const input = Float32Array.from(
    { length: inputRate * SECONDS },
    (_, i) => amplitude * Math.cos((2 * Math.PI * frequency * i) / inputRate + 1),
  );
  const output = resample(input);
  const from = Math.floor(output.length / 4);
  const middle = output.subarray(from, 3 * from);
  const turn = (2 * Math.PI * frequency) / outputRate;
  const tone = frequency < outputRate / 2 ? fitTone(middle, turn) : { cosine: 0, sine: 0 };
  const residue = middle.map((sample, i) => {
    return sample - tone.cosine * Math.cos(turn * i) - tone.sine * Math.sin(turn * i);
  });
  const wanted = turn * from + 1;
  const late = Math.atan2(tone.sine, tone.cosine) + wanted;
  return {
    gainDb: decibels(Math.hypot(tone.cosine, tone.sine) / amplitude),
    delaySeconds: (late - 2 * Math.PI * Math.round(late / (2 * Math.PI))) / (2 * Math.PI * frequency),
    residueDb: decibels((rootMeanSquare(residue) * Math.SQRT2) / amplitude),
  };
}

/** The best cosine and sine of a frequency, by least squares. */
function fitTone(samples: Float32Array, turn: number): { cosine: number; sine: number } {
  let [cc, ss, cs, cx, sx] = [0, 0, 0, 0, 0];
  samples.forEach((sample, i) => {
    const [c, s] = [Math.cos(turn * i), Math.sin(turn * i)];
    cc += c * c;
    ss += s * s;
    cs += c * s;
    cx += c * sample;
    sx += s * sample;
  });
  const determinant = cc * ss - cs * cs;
  return { cosine: (cx * ss - sx * cs) / determinant, sine: (sx * cc - cx * cs) / determinant };
}

function rootMeanSquare(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

function decibels(ratio: number): number {
  return 20 * Math.log10(ratio);
}

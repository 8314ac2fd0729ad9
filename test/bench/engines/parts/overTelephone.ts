import { encodeMulaw, MULAW_VALUES } from '../../../../src/audio/pcm/g711.ts';
import { toFloats, toInt16 } from '../../../../src/audio/pcm/pcm.ts';
import { createResampler } from '../../../../src/audio/resample/resampler.ts';

const SAMPLE_RATE = 16_000;
const TELEPHONE_RATE = 8000;
/** Band of a telephone line, in Hz (ITU-T G.712). */
const BAND = { from: 300, to: 3400 };
const TAPS = 511;

/** Returns mono audio at 16 kHz as heard over a telephone: 300 to 3400 Hz at 8 kHz, coded by G.711 mu-law. */
export function overTelephone(samples: Int16Array): Int16Array {
  const narrow = resampled(filtered(toFloats(samples), bandPass()), SAMPLE_RATE, TELEPHONE_RATE);
  const coded = toInt16(narrow).map(value => MULAW_VALUES[encodeMulaw(value)]!);
  return toInt16(resampled(toFloats(coded), TELEPHONE_RATE, SAMPLE_RATE)).subarray(0, samples.length);
}

/** Returns a band-pass filter: the difference of two low-pass filters, each a sinc under a Hamming window. */
function bandPass(): Float64Array {
  const middle = (TAPS - 1) / 2;
  const low = (hertz: number, at: number) => {
    const edge = (2 * hertz) / SAMPLE_RATE;
    return at === 0 ? edge : Math.sin(Math.PI * edge * at) / (Math.PI * at);
  };
  return Float64Array.from({ length: TAPS }, (_, index) => {
    const window = 0.54 - 0.46 * Math.cos((2 * Math.PI * index) / (TAPS - 1));
    return window * (low(BAND.to, index - middle) - low(BAND.from, index - middle));
  });
}

/** Applies a filter and removes its delay. */
function filtered(samples: Float32Array, filter: Float64Array): Float32Array {
  const middle = (filter.length - 1) / 2;
  return samples.map((_, at) => {
    let sum = 0;
    for (let tap = 0; tap < filter.length; tap++) sum += filter[tap]! * (samples[at + middle - tap] ?? 0);
    return sum;
  });
}

function resampled(samples: Float32Array, inputRate: number, outputRate: number): Float32Array {
  const resampler = createResampler({ inputRate, outputRate, channels: 1 });
  const parts = [resampler.process(samples), resampler.flush()];
  return Float32Array.from(parts.flatMap(part => [...part]));
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createResampler, type ResamplerOptions } from '../../../src/audio/resample/resampler.ts';
import { InvalidArgumentError } from '../../../src/base/errors.ts';
import { toneResponse } from '../../helpers/toneResponse.ts';

const RATES = [
  [48_000, 16_000],
  [44_100, 16_000],
  [8000, 16_000],
  [16_000, 8000],
  [48_000, 8000],
  [22_050, 16_000],
  [47_999, 16_000],
] as const;

function resampleWhole(options: ResamplerOptions, samples: Float32Array): Float32Array {
  return resampleCut(options, samples, []);
}

/** Resamples in pieces of the given frames, over and over; then the rest. */
function resampleCut(
  options: ResamplerOptions,
  samples: Float32Array,
  cuts: readonly number[],
): Float32Array {
  const resampler = createResampler(options);
  const outputs: Float32Array[] = [];
  let at = 0;
  for (const frames of cuts) {
    outputs.push(resampler.process(samples.subarray(at, at + frames * options.channels)));
    at += frames * options.channels;
  }
  outputs.push(resampler.process(samples.subarray(at)), resampler.flush());
  return Float32Array.from(outputs.flatMap(output => [...output]));
}

/** Noise that is the same every time. */
function noise(length: number, seed = 1): Float32Array {
  let state = seed;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  });
}

const bits = (samples: Float32Array) => [
  ...new Uint32Array(samples.buffer, samples.byteOffset, samples.length),
];

function frequencies(from: number, to: number, count = 25): number[] {
  return Array.from({ length: count }, (_, i) => from + ((to - from) * (i + 0.5)) / count);
}

describe.for(RATES)('%i to %i Hz', ([inputRate, outputRate]) => {
  const rates = { inputRate, outputRate };
  const nyquist = Math.min(inputRate, outputRate) / 2;
  const respond = (frequency: number) =>
    toneResponse(input => resampleWhole({ ...rates, channels: 1 }, input), rates, frequency);

  test('is flat to 80 % of the lower Nyquist frequency, without delay', () => {
    for (const frequency of [20, ...frequencies(0, 0.8 * nyquist), 0.8 * nyquist]) {
      const { gainDb, delaySeconds } = respond(frequency);
      expect(Math.abs(gainDb), `gain at ${frequency} Hz`).toBeLessThan(0.001);
      expect(Math.abs(delaySeconds), `delay at ${frequency} Hz`).toBeLessThan(1e-7);
    }
  });

  test('lets nothing come out that did not go in: alias and images are below -98 dB', () => {
    const stopBand = outputRate < inputRate ? [nyquist, ...frequencies(nyquist, inputRate / 2)] : [];
    for (const frequency of [...frequencies(0, nyquist), ...stopBand]) {
      expect(respond(frequency).residueDb, `at ${frequency} Hz`).toBeLessThan(-98);
    }
  });

  test('keeps a constant constant', () => {
    const output = resampleWhole({ ...rates, channels: 1 }, new Float32Array(inputRate / 5).fill(0.5));
    const middle = output.subarray(output.length / 4, output.length / 2);
    expect(Math.max(...middle.map(sample => Math.abs(sample - 0.5)))).toBeLessThan(1e-6);
  });
});

const someRate = fc.constantFrom(8000, 11_025, 16_000, 22_050, 44_100, 47_999, 48_000);
const someOptions = fc.record({
  inputRate: someRate,
  outputRate: someRate,
  channels: fc.integer({ min: 1, max: 3 }),
  startFrame: fc.nat(1_000_000),
});
const someCuts = fc.array(fc.oneof(fc.nat(5), fc.nat(300), fc.nat(6000)), { maxLength: 20 });

describe('any rates, any channels', () => {
  test('give the same bits however the input is cut', () => {
    fc.assert(
      fc.property(someOptions, someCuts, fc.nat(12_000), (options, cuts, frames) => {
        const samples = noise(frames * options.channels);
        expect(bits(resampleCut(options, samples, cuts))).toEqual(bits(resampleWhole(options, samples)));
      }),
    );
  });

  test('give every output frame whose time is within the input', () => {
    fc.assert(
      fc.property(someOptions, fc.nat(10_000), (options, frames) => {
        const { inputRate, outputRate, channels, startFrame } = options;
        const frameAt = (frame: number) => Math.ceil((frame * outputRate) / inputRate);
        const output = resampleWhole(options, new Float32Array(frames * channels));
        expect(createResampler(options).startFrame).toBe(frameAt(startFrame));
        expect(output.length / channels).toBe(frameAt(startFrame + frames) - frameAt(startFrame));
      }),
    );
  });

  test('resample every channel by itself', () => {
    const [left, right] = [noise(5000, 2), noise(5000, 3)];
    const stereo = Float32Array.from({ length: 10_000 }, (_, i) => (i % 2 ? right : left)[i >> 1]!);
    const options = { inputRate: 44_100, outputRate: 16_000, channels: 1 };
    const output = resampleWhole({ ...options, channels: 2 }, stereo);
    expect(bits(output.filter((_, i) => i % 2 === 0))).toEqual(bits(resampleWhole(options, left)));
    expect(bits(output.filter((_, i) => i % 2 === 1))).toEqual(bits(resampleWhole(options, right)));
  });

  test('give the same from the middle of a source as from its beginning', () => {
    const options = { inputRate: 44_100, outputRate: 16_000, channels: 1 };
    const startFrame = 1001;
    const samples = noise(9000);
    const whole = resampleWhole(options, samples);
    const tail = createResampler({ ...options, startFrame });
    const output = tail.process(samples.subarray(startFrame));
    const settled = 2 * tail.delayFrames;
    expect(bits(output.subarray(settled))).toEqual(
      bits(whole.subarray(tail.startFrame + settled, tail.startFrame + output.length)),
    );
  });

  test('hold back no more than the delay that they name', () => {
    const options = { inputRate: 48_000, outputRate: 16_000, channels: 1 };
    const resampler = createResampler(options);
    expect(resampler.delayFrames).toBe(96);
    expect(resampler.process(new Float32Array(resampler.delayFrames)).length).toBe(0);
    expect(resampler.process(new Float32Array(1)).length).toBe(1);
  });
});

describe('odd uses', () => {
  test('equal rates return the input', () => {
    const resampler = createResampler({ inputRate: 16_000, outputRate: 16_000, channels: 2 });
    const samples = noise(20);
    expect(resampler.process(samples)).toBe(samples);
    expect([resampler.flush().length, resampler.delayFrames]).toEqual([0, 0]);
  });

  test.for([
    [384_000, 8000],
    [1000, 48_000],
    [383_999, 47_999],
  ] as const)('the farthest rates work: %i to %i Hz', ([inputRate, outputRate]) => {
    const output = resampleWhole({ inputRate, outputRate, channels: 1 }, noise(inputRate / 10));
    expect(output.length).toBe(Math.ceil((Math.floor(inputRate / 10) * outputRate) / inputRate));
    expect(output.every(Number.isFinite)).toBe(true);
  });

  test.for([
    { inputRate: Number.NaN, outputRate: 16_000 },
    { inputRate: 44_100.5, outputRate: 16_000 },
    { inputRate: 0, outputRate: 16_000 },
    { inputRate: 384_001, outputRate: 16_000 },
    { inputRate: 48_000, outputRate: 7999 },
    { inputRate: 48_000, outputRate: 48_001 },
  ])('rates out of range are refused: %j', rates => {
    expect(() => createResampler({ ...rates, channels: 1 })).toThrow(InvalidArgumentError);
  });

  test('half a frame is refused', () => {
    const resampler = createResampler({ inputRate: 48_000, outputRate: 16_000, channels: 2 });
    expect(() => resampler.process(new Float32Array(3))).toThrow('whole frames of 2');
  });

  test('more rates than are kept do not disturb the ones in use', () => {
    const options = { inputRate: 48_000, outputRate: 16_000, channels: 1 };
    const samples = noise(4000);
    const resampler = createResampler(options);
    const first = resampler.process(samples.subarray(0, 2000));
    for (let rate = 8000; rate < 8020; rate++) resampleWhole({ ...options, inputRate: rate }, samples);
    const output = [...first, ...resampler.process(samples.subarray(2000)), ...resampler.flush()];
    expect(output).toEqual([...resampleWhole(options, samples)]);
  });
});

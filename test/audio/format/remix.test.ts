import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AudioWarning } from '../../../src/audio/format/audioWarning.ts';
import { interleave } from '../../../src/audio/format/channels.ts';
import { createRemix } from '../../../src/audio/format/remix.ts';
import { seeded } from '../../../src/base/seeded.ts';
import { cutBytes } from '../../helpers/nativeAudio.ts';

/** Remixes samples that are cut into the given numbers of frames, and returns all of the result. */
function remixed(samples: Float32Array, channels: number, wanted: number, cuts = [samples.length]) {
  const warnings: AudioWarning[] = [];
  const remix = createRemix(wanted, warning => warnings.push(warning));
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  let next = 0;
  const pieces = cutBytes(bytes, () => 4 * channels * (cuts[next++ % cuts.length] ?? 1));
  const parts = [...pieces].map(piece => remix(new Float32Array(piece.slice().buffer), channels));
  return { samples: Float32Array.from(parts.flatMap(part => [...part])), warnings };
}

const channelsOf = (...channels: readonly Float32Array[]) =>
  interleave(Float32Array.from(channels.flatMap(samples => [...samples])), channels.length);

const random = seeded(7);
const noise = (frames: number) => Float32Array.from({ length: frames }, () => random() - 0.5);
const times = (factor: number, samples: Float32Array) => samples.map(sample => factor * sample);
const power = (samples: Float32Array) =>
  samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length;

test('many channels become one by their mean', () => {
  const samples = Float32Array.of(1, 0, 0.5, -0.25, 0.25, 0.75);
  expect([...remixed(samples, 3, 1).samples]).toEqual([0.5, 0.25]);
});

test('one channel becomes many by copying, and one again by their mean', () => {
  const samples = fc
    .array(fc.float({ min: -1, max: 1, noNaN: true }))
    .map(values => Float32Array.from(values));
  fc.assert(
    fc.property(samples, fc.constantFrom(1, 2, 4, 8), (mono, channels) => {
      const copied = remixed(mono, 1, channels).samples;
      expect(copied.length).toBe(mono.length * channels);
      // A sum has no negative zero.
      const withoutSign = (value: number) => value + 0;
      expect(remixed(copied, channels, 1).samples.map(withoutSign)).toEqual(mono.map(withoutSign));
    }),
  );
});

test('the same number of channels is not copied', () => {
  const samples = Float32Array.of(1, 2);
  expect(createRemix(2, () => {})(samples, 2)).toBe(samples);
});

test('two channels become three by their mean', () => {
  expect([...remixed(Float32Array.of(0.5, 0.25), 2, 3).samples]).toEqual([0.375, 0.375, 0.375]);
});

describe('channels that cancel each other out', () => {
  const sound = noise(16_000);

  test.each([
    ['inverse', -1],
    ['inverse and a little quieter', -0.8],
  ])('that are %s become the loudest of them, with one warning', (_kind, factor) => {
    const { samples, warnings } = remixed(channelsOf(sound, times(factor, sound)), 2, 1);
    expect(samples.subarray(400)).toEqual(sound.subarray(400));
    expect(warnings.map(({ code }) => code)).toEqual(['audio-cancelled']);
  });

  test('of six are replaced by one', () => {
    const six = channelsOf(sound, times(-1, sound), ...[1, 2].flatMap(() => [sound, times(-1, sound)]));
    expect(remixed(six, 6, 1).samples.subarray(400)).toEqual(sound.subarray(400));
  });

  test('do so for as long as they are inverse only, without a click', () => {
    const wave = Float32Array.from({ length: 48_000 }, (_, i) => 0.5 * Math.sin(i / 20));
    const sign = (i: number) => (i > 16_000 && i < 32_000 ? -1 : 1);
    const { samples } = remixed(
      channelsOf(
        wave,
        wave.map((sample, i) => sign(i) * sample),
      ),
      2,
      1,
    );
    for (let from = 0; from < 48_000; from += 4000) {
      const isChange = from === 16_000 || from === 32_000;
      const share = power(samples.subarray(from, from + 4000)) / power(wave.subarray(from, from + 4000));
      expect(share).toBeGreaterThan(isChange ? 0.5 : 0.99);
    }
    const steps = samples.slice(1).map((sample, i) => Math.abs(sample - samples[i]!));
    // The change of the sign itself is one step of the input.
    expect(steps.filter(step => step > 0.06).length).toBeLessThan(3);
  });

  test('give the same samples however they are cut', () => {
    const stereo = channelsOf(sound, times(-1, sound));
    const whole = remixed(stereo, 2, 1).samples;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 9 }), cuts => {
        expect(remixed(stereo, 2, 1, cuts).samples).toEqual(whole);
      }),
      { numRuns: 20 },
    );
  });

  test.each<[string, readonly Float32Array[]]>([
    ['equal', [sound, sound]],
    ['unrelated', [sound, noise(16_000)]],
    ['silent but for one', [sound, new Float32Array(16_000), new Float32Array(16_000)]],
    ['inverse in part', [sound, times(-0.4, sound)]],
    ['all silent', [new Float32Array(16_000), new Float32Array(16_000)]],
  ])('are not channels that are %s', (_kind, channels) => {
    const { samples, warnings } = remixed(channelsOf(...channels), channels.length, 1);
    const mean = sound.map(
      (_, i) => channels.reduce((sum, channel) => sum + channel[i]!, 0) / channels.length,
    );
    expect(samples).toEqual(mean);
    expect(warnings).toEqual([]);
  });

  test('are not reported where they are inaudible', () => {
    const quiet = times(0.0005, sound);
    expect(remixed(channelsOf(quiet, times(-1, quiet)), 2, 1).warnings).toEqual([]);
  });
});

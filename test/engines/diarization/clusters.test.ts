import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Random, seeded } from '../../../src/base/seeded.ts';
import {
  clustersOf,
  createNearestPairs,
  MOST_AT_ONCE,
  renumbered,
} from '../../../src/engines/diarization/clusters.ts';
import { addWindow, createGaussianSum, type GaussianSum } from '../../../src/engines/diarization/gaussian.ts';
import { COEFFICIENTS } from '../../../src/engines/diarization/mfcc.ts';
import { RECORDING_CRITERION } from '../../../src/engines/diarization/speakerTurns.ts';

/** Windows around a voice's mean, each coefficient with a deviation of about 1. */
function heard(mean: number, windows: number, random: Random): GaussianSum {
  const sum = createGaussianSum();
  const features = new Float32Array(COEFFICIENTS);
  for (let window = 0; window < windows; window++) {
    for (let i = 0; i < COEFFICIENTS; i++) features[i] = mean + 3.5 * (random() - 0.5);
    addWindow(sum, features, 0);
  }
  return sum;
}

describe('speech of several voices', () => {
  const random = seeded(1);
  const voices = [0, 1, 0, 2, 1, 0, 2];
  const sums = voices.map(voice => heard(3 * voice, 1000, random));

  test('is joined by voice', () => {
    expect(clustersOf(sums, RECORDING_CRITERION)).toEqual(voices);
  });

  test('is joined to the given number of voices', () => {
    for (const count of [1, 2, 3, 5]) {
      const labels = clustersOf(sums, RECORDING_CRITERION, count);
      expect(new Set(labels).size).toBe(count);
    }
  });

  test('is joined in parts when there is much of it', { timeout: 120_000 }, () => {
    const many = Array.from({ length: MOST_AT_ONCE + 100 }, (_, index) => heard(3 * (index % 2), 40, random));
    const labels = clustersOf(many, RECORDING_CRITERION, 2);
    expect(labels).toEqual(many.map((_, index) => index % 2));
  });

  test('may be empty, or silent', () => {
    expect(clustersOf([], RECORDING_CRITERION)).toEqual([]);
    expect(clustersOf([createGaussianSum(), sums[0]!], RECORDING_CRITERION)).toEqual([0, 0]);
  });
});

test('the nearest two items are found while items are joined', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, min: -100, max: 100 }), { maxLength: 12 }), places => {
      const now = new Map(places.entries());
      const between = (one: number, other: number) => Math.abs(now.get(one)! - now.get(other)!);
      const pairs = createNearestPairs(places.length, between);
      while (now.size > 1) {
        const [one, other] = pairs.nearest()!;
        const all = [...now.keys()].flatMap(a => [...now.keys()].filter(b => b > a).map(b => between(a, b)));
        expect(between(one, other)).toBe(Math.min(...all));
        now.set(one, (now.get(one)! + now.get(other)!) / 2);
        now.delete(other);
        pairs.join(one, other);
      }
      expect(pairs.nearest()).toBeUndefined();
    }),
  );
});

test('labels are numbered in the order of their first appearance', () => {
  expect(renumbered([7, 7, 3, 9, 3])).toEqual([0, 0, 1, 2, 1]);
});

import { TestScheduler } from 'rxjs/testing';
import { describe, expect, test } from 'vitest';
import type { AudioBlock } from '../../src/audio/format/format.ts';
import { type AudioLevel, level, measureLevel } from '../../src/audio/level.ts';

const block = (samples: Float32Array): AudioBlock => ({
  startFrame: 0,
  sampleRate: 16_000,
  channels: 1,
  samples,
});
const sine = (amplitude: number) =>
  Float32Array.from({ length: 1600 }, (_, i) => amplitude * Math.sin((2 * Math.PI * i) / 16));

describe('the level', () => {
  test.for([
    ['a square wave of full scale', Float32Array.of(1, -1, 1, -1), 0, 0],
    ['a sine of full scale', sine(1), -3.0103, 0],
    ['a sine of a tenth', sine(0.1), -23.0103, -20],
    ['a negative peak', Float32Array.of(-0.5, 0), -9.0309, -6.0206],
  ] as const)('of %s', ([, samples, rmsDb, peakDb]) => {
    const found = measureLevel({ samples });
    expect(found.rmsDb).toBeCloseTo(rmsDb, 3);
    expect(found.peakDb).toBeCloseTo(peakDb, 3);
  });

  test.for([0, 10])('of %i frames of silence is -Infinity', frames => {
    const found = measureLevel({ samples: new Float32Array(frames) });
    expect(found).toEqual({ rmsDb: Number.NEGATIVE_INFINITY, peakDb: Number.NEGATIVE_INFINITY });
  });
});

describe('level()', () => {
  const values = { a: block(sine(1)), b: block(sine(0.5)) };
  const run = (test: Parameters<TestScheduler['run']>[0]) =>
    new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(test);

  test('passes audio on and reports its level', () => {
    const seen: [AudioLevel, AudioBlock][] = [];
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-a-b-|', values);
      expectObservable(source.pipe(level((...call) => seen.push(call)))).toBe('-a-b-|', values);
      expectSubscriptions(source.subscriptions).toBe('^----!');
    });
    expect(seen).toEqual([
      [measureLevel(values.a), values.a],
      [measureLevel(values.b), values.b],
    ]);
  });

  test('fails with the error of the callback', () => {
    run(({ cold, expectObservable }) => {
      const failing = level(() => {
        throw 'no meter';
      });
      expectObservable(cold('-a-b-|', values).pipe(failing)).toBe('-#', undefined, 'no meter');
    });
  });
});

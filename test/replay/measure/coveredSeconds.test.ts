import { describe, expect, test } from 'vitest';
import { coverageOf, coveredSeconds } from '../../../src/replay/measure/coveredSeconds.ts';
import type { Coverage } from '../../../src/transcript/coverage.ts';

const of = (coverage: Coverage, seconds: number, startTs = 0) =>
  coveredSeconds({ transcript: { monologues: [], coverage }, seconds, startTs });

describe('the coverage of a run', () => {
  test('is what became of each second of audio', () => {
    const coverage: Coverage = [
      { ts: 0, endTs: 4, kind: 'final' },
      { ts: 4, endTs: 5, kind: 'silence' },
      { ts: 5, endTs: 7, kind: 'hole', cause: 'gave-up' },
    ];
    const seconds = of(coverage, 10);
    expect(seconds).toEqual({ final: 4, silence: 1, hole: 2, unknown: 3 });
    expect(coverageOf(seconds)).toBe(0.5);
  });

  test('counts nothing outside of the audio', () => {
    expect(of([{ ts: 58, endTs: 64, kind: 'final' }], 2, 60)).toEqual({
      final: 2,
      silence: 0,
      hole: 0,
      unknown: 0,
    });
  });

  test('passes over what is less than the unit of its times', () => {
    expect(of([{ ts: 0, endTs: 1.99, kind: 'final' }], 1.995).unknown).toBe(0);
  });

  test('counts every channel that is streamed apart', () => {
    const coverage: Coverage = [
      { ts: 0, endTs: 2, kind: 'final' },
      { ts: 0, endTs: 1, kind: 'silence', channel: 1 },
    ];
    expect(of(coverage, 2)).toEqual({ final: 2, silence: 1, hole: 0, unknown: 1 });
  });

  test('of no audio is whole', () => {
    expect(coverageOf(of([], 0))).toBe(1);
  });
});

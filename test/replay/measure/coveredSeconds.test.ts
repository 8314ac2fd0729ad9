import { describe, expect, test } from 'vitest';
import { coverageOf, coveredSeconds } from '../../../src/replay/measure/coveredSeconds.ts';
import type { SessionRun } from '../../../src/replay/session/sessionRun.ts';
import type { Coverage } from '../../../src/transcript/model/coverage.ts';
import type { LiveEvent } from '../../../src/transcript/model/events.ts';
import { final, partial } from '../../helpers/transcriptEvents.ts';

const of = (coverage: Coverage, seconds: number, more: Partial<SessionRun> = {}) =>
  coveredSeconds({ transcript: { monologues: [], coverage }, events: [], seconds, startTs: 0, ...more });

const at = (value: LiveEvent) => ({ atMs: 0, value });

describe('the coverage of a run', () => {
  test('has the kind of each second of audio', () => {
    const coverage: Coverage = [
      { ts: 0, endTs: 4, kind: 'final' },
      { ts: 4, endTs: 5, kind: 'silence' },
      { ts: 5, endTs: 7, kind: 'hole', cause: 'gave-up' },
    ];
    const seconds = of(coverage, 10);
    expect(seconds).toEqual({ final: 4, silence: 1, inaudible: 0, hole: 2, unknown: 3 });
    expect(coverageOf(seconds)).toBe(0.5);
  });

  test('ignores spans outside of the audio', () => {
    expect(of([{ ts: 58, endTs: 64, kind: 'final' }], 2, { startTs: 60 })).toEqual({
      final: 2,
      silence: 0,
      inaudible: 0,
      hole: 0,
      unknown: 0,
    });
  });

  test('ignores less than the resolution of its times', () => {
    expect(of([{ ts: 0, endTs: 1.99, kind: 'final' }], 1.995).unknown).toBe(0);
  });

  test('adds up channels that are streamed separately', () => {
    const coverage: Coverage = [
      { ts: 0, endTs: 2, kind: 'final', channel: 0 },
      { ts: 0, endTs: 1, kind: 'silence', channel: 1 },
    ];
    expect(of(coverage, 2, { channels: 2 })).toEqual({
      final: 2,
      silence: 1,
      inaudible: 0,
      hole: 0,
      unknown: 1,
    });
    // One channel has no results.
    expect(of(coverage.slice(0, 1), 2, { channels: 2 })).toMatchObject({ final: 2, unknown: 2 });
  });

  test('does not count words that never became final as silence', () => {
    const coverage: Coverage = [
      { ts: 0, endTs: 4, kind: 'silence' },
      { ts: 4, endTs: 5, kind: 'final' },
    ];
    const events = [at(partial('lost words', 1, 3)), at(partial('one', 4, 5)), at(final('One.', 4, 5))];
    expect(of(coverage, 5, { events })).toEqual({ final: 1, silence: 2, inaudible: 0, hole: 0, unknown: 2 });
    expect(of(coverage, 5, { events: [events[0]!] })).toMatchObject({ silence: 2, unknown: 2 });
  });

  test('counts words that were taken back as silence', () => {
    const coverage: Coverage = [{ ts: 0, endTs: 4, kind: 'silence' }];
    const events = [at(partial('um', 1, 3)), at(partial('', 1, 3.5))];
    expect(of(coverage, 4, { events })).toMatchObject({ silence: 4, unknown: 0 });
  });

  test('is unknown without audio', () => {
    expect(coverageOf(of([], 0))).toBeNull();
  });
});

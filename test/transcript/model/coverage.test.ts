import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverEvent, coverSilence, type SettledEvent } from '../../../src/transcript/merge/coverEvent.ts';
import { emptyLiveTranscript, mergeEvent } from '../../../src/transcript/merge/merge.ts';
import { type Coverage, type CoverageSpan, holesOf } from '../../../src/transcript/model/coverage.ts';
import type { FinalEvent, LiveEvent } from '../../../src/transcript/model/events.ts';
import { final, hole, liveEventSequence, repair, silence } from '../../helpers/transcriptEvents.ts';

const coverageOf = (events: readonly LiveEvent[]): Coverage =>
  events.reduce(mergeEvent, emptyLiveTranscript).transcript.coverage ?? [];
/** As one word a span. */
const spans = (coverage: Coverage) =>
  coverage.map(
    ({ ts, endTs, kind, provenance, cause, channel }) =>
      `${ts}-${endTs} ${[provenance, cause, kind, channel].filter(part => part !== undefined).join(' ')}`,
  );
const covered = (...events: readonly LiveEvent[]) => spans(coverageOf(events));

describe('coverage', () => {
  it('is final where finals are, and silence between them', () => {
    expect(covered(final('one', 1, 2), final('two', 2, 3), final('three', 5, 6))).toEqual([
      '1-3 live final',
      '3-5 silence',
      '5-6 live final',
    ]);
  });

  it('is a hole where a final did not come, until it comes after all', () => {
    const events = [final('end', 5, 6), hole(1, 4, 'no-final'), silence(0, 5), final('one', 1, 3)];
    expect(covered(...events.slice(0, 3))).toEqual([
      '0-1 silence',
      '1-4 no-final hole',
      '4-5 silence',
      '5-6 live final',
    ]);
    const all = ['0-1 silence', '1-3 live final', '3-4 no-final hole', '4-5 silence', '5-6 live final'];
    expect(covered(...events)).toEqual(all);
    expect(covered(...events.toReversed())).toEqual(all);
  });

  it('is silence where a final has no text', () => {
    const mute: FinalEvent = { type: 'final', ts: 1, endTs: 2, elements: [] };
    expect(covered(mute)).toEqual(['1-2 silence']);
  });

  it('is inaudible where a final has speech without words, whatever comes first', () => {
    const inaudible: FinalEvent = {
      type: 'final',
      ts: 1,
      endTs: 4,
      elements: [{ type: 'unknown', value: '<inaudible>' }],
    };
    const words = final('one', 3, 5);
    const expected = ['1-3 live inaudible', '3-5 live final'];
    expect(covered(inaudible, silence(0, 2), words)).toEqual(['0-1 silence', ...expected]);
    expect(covered(words, silence(0, 2), inaudible)).toEqual(['0-1 silence', ...expected]);
    expect(covered(inaudible, repair(hole(1, 4), final('one', 1, 4)))).toEqual(['1-4 live inaudible']);
    expect(holesOf(coverageOf([inaudible]))).toEqual([]);
  });

  it('is inaudible where a repair has speech without words', () => {
    const elements = [{ type: 'unknown', value: '<inaudible>' }] as const;
    const mended = { ...repair(hole(1, 4)), monologues: [{ speaker: 0, elements }] };
    expect(covered(hole(1, 4), mended)).toEqual(['1-4 repaired inaudible']);
  });

  it('begins with the earliest span, whatever the order of events', () => {
    expect(covered(final('one', 5, 6))).toEqual(['5-6 live final']);
    expect(covered(silence(2, 3), final('one', 5, 6))).toEqual(['2-5 silence', '5-6 live final']);
    expect(covered(final('one', 5, 6), silence(2, 3))).toEqual(['2-5 silence', '5-6 live final']);
    expect(covered(hole(2, 3), final('one', 5, 6), final('none', 0, 1))).toEqual([
      '0-1 live final',
      '1-2 silence',
      '2-3 dropped hole',
      '3-5 silence',
      '5-6 live final',
    ]);
  });

  it('has no span for audio without a result', () => {
    expect(covered(final('one', 0, 1), hole(2, 3))).toEqual(['0-1 live final', '2-3 dropped hole']);
    expect(covered(final('one', 0, 1), silence(2, 3), hole(4, 5), final('two', 6, 7))).toEqual([
      '0-1 live final',
      '1-4 silence',
      '4-5 dropped hole',
      '5-6 silence',
      '6-7 live final',
    ]);
  });

  it('has a hole within a final, whichever comes first', () => {
    const expected = ['0-2 live final', '2-3 gap hole', '3-4 live final'];
    expect(covered(final('one two', 0, 4), hole(2, 3, 'gap'))).toEqual(expected);
    expect(covered(hole(2, 3, 'gap'), final('one two', 0, 4))).toEqual(expected);
    expect(covered(hole(2, 3, 'gap'), silence(0, 4)).sort()).toEqual([
      '0-2 silence',
      '2-3 gap hole',
      '3-4 silence',
    ]);
  });

  it('keeps the first cause of a hole', () => {
    expect(covered(hole(0, 3, 'dropped'), hole(2, 4, 'killed'))).toEqual([
      '0-3 dropped hole',
      '3-4 killed hole',
    ]);
  });

  it('is repaired where a job heard words, over short pauses, and silence elsewhere in the hole', () => {
    const gap = hole(2, 12);
    const heard = [final('b', 3, 4), final('c', 4.5, 5, 1), final('d', 8, 9)];
    expect(covered(final('a', 0, 2), gap, final('e', 12, 13), repair(gap, ...heard))).toEqual([
      '0-2 live final',
      '2-3 repaired silence',
      '3-5 repaired final',
      '5-8 repaired silence',
      '8-9 repaired final',
      '9-12 repaired silence',
      '12-13 live final',
    ]);
  });

  it('stays a gap where the source gave nothing, though a job had the audio on both sides', () => {
    const missing = hole(1, 6);
    const heard = [final('one', 1, 3), final('two', 4, 6)];
    expect(covered(hole(3, 4, 'gap'), missing, repair(missing, ...heard))).toEqual([
      '1-3 repaired final',
      '3-4 gap hole',
      '4-6 repaired final',
    ]);
  });

  it('is repaired as a whole where the words of a job have no times', () => {
    const gap = hole(1, 2);
    const elements = [{ type: 'text', value: 'word' }] as const;
    const mended = { ...repair(gap), monologues: [{ speaker: 0, elements }] };
    expect(covered(gap, mended)).toEqual(['1-2 repaired final']);
  });

  it('is silence where a job heard nothing, and stays so', () => {
    const gap = hole(1, 2);
    const expected = ['0-1 live final', '1-2 repaired silence', '2-3 live final'];
    expect(covered(final('a b', 0, 3), gap, repair(gap))).toEqual(expected);
    expect(covered(final('a b', 0, 3), gap, repair(gap), gap, final('a b', 0, 3))).toEqual(expected);
  });

  it('takes times for the same that differ by the error of arithmetic', () => {
    const [third, fifth] = [0.1 + 0.2, 0.30000000000000004 + 0.2];
    expect(covered(final('a', 0, 0.3), hole(third, fifth), final('b', 0.5, 1))).toEqual([
      '0-0.3 live final',
      '0.3-0.5 dropped hole',
      '0.5-1 live final',
    ]);
  });

  it('never rounds a hole away', () => {
    const brief = hole(1.001, 1.002);
    expect(covered(brief)).toEqual(['1-1.01 dropped hole']);
    expect(covered(brief, repair(brief))).toEqual(['1-1.01 repaired silence']);
  });

  it('is kept by channel', () => {
    const on = (event: FinalEvent): FinalEvent => ({ ...event, channel: 1 });
    expect(covered(final('a', 1, 2), on(final('b', 0, 3)), { ...hole(1, 2), channel: 1 })).toEqual([
      '0-1 live final 1',
      '1-2 live final',
      '1-2 dropped hole 1',
      '2-3 live final 1',
    ]);
  });

  it('goes on from a transcript that was written down', () => {
    const read = JSON.parse(JSON.stringify(coverageOf([final('a', 0, 1), hole(1, 2)])));
    const live = { transcript: { monologues: [], coverage: read } };
    expect(spans(mergeEvent(live, final('b', 3, 4)).transcript.coverage!)).toEqual([
      '0-1 live final',
      '1-2 dropped hole',
      '2-3 silence',
      '3-4 live final',
    ]);
  });

  it('takes the text of a transcript without coverage for final', () => {
    const { elements } = final('a', 1, 2);
    const live = { transcript: { monologues: [{ speaker: 0, elements }] } };
    expect(spans(mergeEvent(live, hole(2, 3)).transcript.coverage!)).toEqual([
      '1-2 live final',
      '2-3 dropped hole',
    ]);
  });
});

describe('holesOf', () => {
  it('returns the spans without a transcript', () => {
    const coverage = coverageOf([final('a', 0, 1), hole(1, 2), { ...hole(1, 3, 'gap'), channel: 1 }]);
    expect(spans(holesOf(coverage))).toEqual(['1-2 dropped hole', '1-3 gap hole 1']);
  });
});

const expectNoOverlap = (coverage: Coverage) => {
  coverage.forEach((span, index) => {
    expect(span.ts).toBeLessThan(span.endTs);
    const next = coverage[index + 1];
    if (!next) return;
    expect(next.ts).toBeGreaterThanOrEqual(span.endTs);
    const kinds = [span, next].map(({ kind, provenance, cause }) => [kind, provenance, cause]);
    if (next.ts === span.endTs) expect(kinds[0]).not.toEqual(kinds[1]);
  });
};

/** Whether [0, end) is covered without a gap. */
const isWhole = (coverage: Coverage, end: number) =>
  coverage.every(({ ts }, index) => ts === (coverage[index - 1]?.endTs ?? 0)) &&
  (coverage.at(-1)?.endTs ?? 0) === end;

describe('coverage, whatever comes', () => {
  /** A run: stretches of audio one after the other, silences of which the first and last are always reported. */
  const run = fc
    .array(
      fc.record({
        kind: fc.constantFrom('final' as const, 'silence' as const, 'hole' as const, 'repaired' as const),
        frames: fc.integer({ min: 160, max: 80_000 }),
        isTold: fc.boolean(),
        isLate: fc.boolean(),
      }),
      { minLength: 1, maxLength: 20 },
    )
    .map(parts => {
      const [inTime, late]: [LiveEvent[], LiveEvent[]] = [[], []];
      let frame = 0;
      parts.forEach(({ kind, frames, isTold, isLate }, index) => {
        const [ts, endTs] = [frame / 16_000, (frame + frames) / 16_000];
        frame += frames;
        const declared = isLate ? late : inTime;
        // The service rounds times to hundredths, the source in frames.
        const [from, to] = [Math.round(ts * 100) / 100, Math.round(endTs * 100) / 100];
        if (kind === 'final') inTime.push(final('a b', from, to));
        else if (kind !== 'silence') declared.push(hole(ts, endTs));
        else if (isTold || index === parts.length - 1) declared.push(silence(ts, endTs));
        else if (parts.slice(index).every(part => part.kind !== 'final')) inTime.push(silence(ts, endTs));
        else if (inTime.every(({ type }) => type !== 'final')) inTime.push(silence(ts, endTs));
        if (kind === 'repaired') late.push(repair(hole(ts, endTs), final('a', ts + frames / 64_000, endTs)));
      });
      return { events: [...inTime, ...late], end: Math.round((frame / 16_000) * 100) / 100 };
    });

  it('has every moment of a run that has ended, once', () => {
    fc.assert(
      fc.property(run, ({ events, end }) => {
        const coverage = coverageOf(events);
        expectNoOverlap(coverage);
        expect(isWhole(coverage, end)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('has no moment twice', () => {
    fc.assert(
      fc.property(liveEventSequence, events => {
        const coverage = coverageOf(events);
        for (const channel of [undefined, 1]) {
          expectNoOverlap(coverage.filter(span => span.channel === channel));
        }
        expect(coverage.map(({ ts }) => ts)).toEqual(coverage.map(({ ts }) => ts).toSorted((a, b) => a - b));
      }),
    );
  });

  it('is the same put together at once as event by event', () => {
    fc.assert(
      fc.property(liveEventSequence, events => {
        const settled = events.filter(
          (event): event is SettledEvent =>
            event.type !== 'connected' && event.type !== 'partial' && event.channel === undefined,
        );
        let finalTs = 0;
        const whole = settled.reduce<Coverage>((coverage, event) => {
          if (event.type === 'final') finalTs = Math.max(finalTs, event.ts);
          return coverSilence(coverEvent(coverage, event), { endTs: finalTs });
        }, []);
        expect(coverageOf(settled)).toEqual<readonly CoverageSpan[]>(whole);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cuesOfSegment,
  type DatedCue,
  segmentText,
  withCue,
} from '../../../../src/captions/outputs/hls/segmentCues.ts';
import type { PerChannel } from '../../../../src/transcript/model/events.ts';

/** Captions with the segment, of 2 s, before which each arrives. */
const arrivals = fc
  .array(
    fc.record({
      gap: fc.nat({ max: 3000 }),
      length: fc.integer({ min: 100, max: 7000 }),
      late: fc.nat({ max: 5 }),
    }),
    {
      maxLength: 12,
    },
  )
  .map(list => {
    let at = 0;
    return list.map(({ gap, length, late }, index) => {
      const startMs = at + gap;
      at = startMs + length;
      return {
        cue: { startMs, endMs: at, lines: [`Cue ${index}.`] },
        segment: Math.floor(startMs / 2000) + late,
      };
    });
  });

/** Writes segments as an output does, until nothing waits. */
function written(list: readonly { readonly cue: DatedCue; readonly segment: number }[]) {
  const segments: (readonly DatedCue[])[] = [];
  let waiting: readonly DatedCue[] = [];
  let skipped = 0;
  let busyUntilMs: PerChannel<number> = [];
  for (let segment = 0; segment < 120; segment++) {
    for (const arrival of list) if (arrival.segment === segment) waiting = withCue(waiting, arrival.cue);
    const step = cuesOfSegment(waiting, { startMs: segment * 2000, durationSeconds: 2 }, busyUntilMs);
    busyUntilMs = step.busyUntilMs;
    const timed = step.cues.map(cue => ({ ...cue, ts: cue.ts ?? cue.startMs / 1000 }));
    waiting = step.waiting.map(cue => timed[step.cues.indexOf(cue)] ?? cue);
    skipped += step.skipped;
    segments.push(timed);
  }
  return { segments, waiting, skipped };
}

describe('cuesOfSegment', () => {
  it('shows every caption, in order and without overlap, in each segment of its time', () => {
    fc.assert(
      fc.property(arrivals, list => {
        const { segments, waiting, skipped } = written(list);
        expect([waiting.length, skipped]).toEqual([0, 0]);
        const shown = new Map<string, DatedCue>();
        for (const [index, cues] of segments.entries()) {
          const [startMs, endMs] = [index * 2000, (index + 1) * 2000];
          for (const cue of cues) {
            const [text] = cue.lines;
            expect(cue.startMs < endMs && cue.endMs > startMs, 'it is on screen in the segment').toBe(true);
            expect(shown.get(text!) ?? cue, 'it is the same in all segments').toEqual(cue);
            shown.set(text!, cue);
          }
        }
        expect(shown.size).toBe(list.length);
        const cues = [...shown.values()].sort((one, other) => one.startMs - other.startMs);
        for (const [index, cue] of cues.entries()) {
          expect(cue.startMs).toBeGreaterThanOrEqual(cues[index - 1]?.endMs ?? 0);
          const whole = cue.endMs < 240_000 && Math.floor((cue.endMs - 1) / 2000);
          const first = Math.max(
            Math.floor(cue.startMs / 2000),
            list.find(one => one.cue.lines[0] === cue.lines[0])!.segment,
          );
          for (let at = first; whole && at <= whole; at++) expect(segments[at]).toContainEqual(cue);
        }
      }),
    );
  });

  it('keeps the time of captions that are there in time', () => {
    fc.assert(
      fc.property(arrivals, list => {
        const inTime = list.map(({ cue }) => ({ cue, segment: Math.floor(cue.startMs / 2000) }));
        const shown = written(inTime).segments.flat();
        for (const { cue } of inTime) expect(shown).toContainEqual({ ...cue, ts: cue.startMs / 1000 });
      }),
    );
  });

  it('keeps the time of captions of another channel, which are on screen at once', () => {
    const spans = [0, 0, 3000, 3000].map(startMs => ({ startMs, endMs: startMs + 3000 }));
    const list = spans.map((span, index) => ({ ...span, lines: [`Cue ${index}.`], channel: index % 2 }));
    const shown = written(list.map(cue => ({ cue, segment: cue.startMs / 3000 }))).segments.flat();
    for (const cue of list) expect(shown).toContainEqual({ ...cue, ts: cue.startMs / 1000 });
  });

  it('drops a notice that came too late, without counting it', () => {
    const notice = { startMs: 0, endMs: 1000, lines: ['[captions paused]'], isNotice: true };
    expect(cuesOfSegment([notice], { startMs: 2000, durationSeconds: 2 })).toMatchObject({
      cues: [],
      waiting: [],
      skipped: 0,
    });
  });
});

describe('withCue', () => {
  it('holds a thousand captions at most, the latest ones', () => {
    let waiting: readonly DatedCue[] = [];
    for (let at = 0; at < 1010; at++)
      waiting = withCue(waiting, { startMs: at, endMs: at + 1, lines: ['x'] });
    expect([waiting.length, waiting[0]!.startMs]).toEqual([1000, 10]);
  });
});

describe('segmentText', () => {
  it('writes times of the presentation, with a map that says so', () => {
    expect(segmentText([{ startMs: 5000, endMs: 6500, lines: ['One & two'], ts: 1.4, speaker: 'Ada' }])).toBe(
      'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:10.000\n\n00:00:01.400 --> 00:00:02.900\n<v Ada>One &amp; two\n',
    );
    expect(segmentText([])).toBe('WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:10.000\n');
  });

  it('leaves out captions that no player can show', () => {
    const before = { startMs: 5000, endMs: 6000, lines: ['before the presentation'], ts: -2 };
    const reversed = { startMs: 5000, endMs: 4000, lines: ['a notice that gave way'], ts: 1 };
    expect(segmentText([before, reversed])).toBe(segmentText([]));
  });
});

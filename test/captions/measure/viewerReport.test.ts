import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WordsStep } from '../../../src/captions/captionStep.ts';
import { timedSteps } from '../../../src/captions/measure/timedSteps.ts';
import {
  movedBetween,
  stuckSeconds,
  type ViewerFigures,
  viewerFigures,
} from '../../../src/captions/measure/viewerFigures.ts';
import { shownUpwr, totalViewers, viewerReport } from '../../../src/captions/measure/viewerReport.ts';
import { VIEWERS, viewedDisplays } from '../../../src/captions/measure/viewers.ts';
import type { LiveEvent } from '../../../src/transcript/model/events.ts';
import { captionStory } from '../../helpers/captionStory.ts';
import { final, liveEventSequence, partial } from '../../helpers/transcriptEvents.ts';

/** Spoken from second 0 of the run on, in real time. */
const spokenAt = (seconds: number) => seconds * 1000;

/** Returns events that arrive 0.5 s after the end of their audio. */
const arrived = (events: readonly LiveEvent[]) =>
  events.map(value => ({ atMs: 'endTs' in value ? value.endTs * 1000 + 500 : 0, value }));

const [terminal, source, stream] = VIEWERS as [(typeof VIEWERS)[0], (typeof VIEWERS)[0], (typeof VIEWERS)[0]];

const figuresOf = (report: readonly ViewerFigures[], name: string) =>
  report.find(figures => figures.name === name)!;

describe('the figures of what viewers saw', () => {
  // "six" is on the screen for good with the third partial, and wrong.
  const events = arrived([
    partial('one two', 0, 1),
    partial('one six', 0, 2),
    partial('one six', 0, 3),
    partial('one six ten', 0, 4),
    final('One four ten.', 0, 6),
  ]);
  const options = { agreePartials: 2, tailPartials: 1, holdBackWords: 0, agreeMs: Number.POSITIVE_INFINITY };

  it('count wrong words, and words that were taken off the tail where it is shown', () => {
    const report = viewerReport(events, spokenAt, options);
    expect(figuresOf(report, terminal.name)).toMatchObject({
      finalWords: 3,
      wrongWords: 1,
      // "two", and "ten", before which the correction is inserted.
      tailWords: 2,
      movedWords: 0,
    });
    expect(figuresOf(report, source.name)).toMatchObject({ finalWords: 3, wrongWords: 1, tailWords: 0 });
    expect(shownUpwr(figuresOf(report, terminal.name))).toBeCloseTo(1 / 3);
    expect(shownUpwr(figuresOf(report, terminal.name), { withTail: true })).toBeCloseTo(1);
  });

  it('time each word from its end to its last showing: in the tail, for good, or as a correction', () => {
    const report = viewerReport(events, spokenAt, options);
    // Spoken until 2, 4 and 6 s. Shown with the first partial (1.5 s), and with the final (6.5 s).
    expect(figuresOf(report, terminal.name).delays).toEqual([-0.5, 2.5, 0.5]);
    // Without a tail, the first word is shown with the second partial.
    expect(figuresOf(report, source.name).delays).toEqual([0.5, 2.5, 0.5]);
  });

  it('time the words of several speakers, whose turns have marks', () => {
    const turns = arrived([
      final('One two.', 0, 1, 0),
      partial('three four', 1, 2),
      partial('three four', 1, 3),
      final('Three four.', 1, 5, 1),
    ]);
    // "Three" is spoken until 3 s, and shown for good with the second partial, at 3.5 s.
    const { delays, unseenWords } = figuresOf(viewerReport(turns, spokenAt), source.name);
    expect({ delays, unseenWords }).toEqual({ delays: [1, 0.5, 0.5, 0.5], unseenWords: 0 });
  });

  it('time captions from when they are complete, and count what their profile does not allow', () => {
    const report = viewerReport(arrived([final('Hello there, everybody.', 0, 2)]), spokenAt);
    const captions = figuresOf(report, 'captions');
    expect(captions).toMatchObject({ finalWords: 3, unseenWords: 0, wrongWords: 0, violations: 0 });
    expect(captions.delays).toHaveLength(3);
    expect(Math.min(...captions.delays)).toBeGreaterThanOrEqual(0.5);
  });

  it('never find a word that moved, or a row that is too wide, whatever the events', () => {
    fc.assert(
      fc.property(liveEventSequence, sequence => {
        for (const { movedWords, violations, name } of viewerReport(arrived(sequence), spokenAt)) {
          if (name === 'captions') continue;
          expect({ name, movedWords, violations }).toEqual({ name, movedWords: 0, violations: 0 });
        }
      }),
    );
  });

  it('count the last words of a recording, although a busy output shows them after its end', () => {
    const events = arrived([final('Hello there, everybody.', 0, 2), final('Good bye.', 2, 3)]);
    expect(figuresOf(viewerReport(events, spokenAt), stream.name)).toMatchObject({
      finalWords: 5,
      unseenWords: 0,
    });
  });

  it('are added over runs', () => {
    const report = viewerReport(arrived(captionStory()), spokenAt);
    const twice = totalViewers([report, report]);
    expect(twice.map(({ name }) => name)).toEqual(report.map(({ name }) => name));
    expect(twice[0]).toMatchObject({
      finalWords: 2 * report[0]!.finalWords,
      wrongWords: 2 * report[0]!.wrongWords,
      delays: [...report[0]!.delays, ...report[0]!.delays],
    });
    expect(shownUpwr(twice[0]!)).toBe(shownUpwr(report[0]!));
  });
});

describe('an output that is busy', () => {
  const words = (atMs: number, id: number, text: string) => {
    const step: WordsStep = { type: 'words', added: [{ id, text }], tail: [], wording: new Map() };
    return { atMs, step };
  };

  it('shows the latest words when it is free, and each display at the end of its transmission', () => {
    const displays = viewedDisplays(
      [words(0, 0, 'One'), words(100, 1, 'two'), words(200, 2, 'three')],
      stream,
    );
    expect(displays.map(({ rows }) => rows)).toEqual([['One'], ['One two three']]);
    expect(displays.map(({ atMs }) => Math.round(atMs))).toEqual([400, 968]);
  });

  it('has words that nobody saw when they left the screen meanwhile', () => {
    const texts = ['a', 'b', 'c', 'd'].map(letter => letter.repeat(30));
    const steps = texts.map((text, id) => words(id, id, text));
    const end = { type: 'words', added: [], tail: [] } as const;
    const wording = new Map(texts.map((text, id) => [id, text]));
    const given = final(texts.join(' '), 0, 4);
    const { unseenWords, finalWords } = viewerFigures(
      [...steps, { atMs: 5, step: { ...end, wording }, final: given }],
      stream,
      spokenAt,
    );
    expect({ unseenWords, finalWords }).toEqual({ unseenWords: 1, finalWords: 4 });
  });
});

describe('movedBetween', () => {
  const at = (id: number, row: number, column: number, text = 'word') => ({ id, row, column, text });

  it('is 0 when whole rows move up, and when the screen is cleared', () => {
    expect(movedBetween([at(0, 0, 0), at(1, 1, 0)], [at(1, 0, 0), at(2, 0, 5)])).toBe(0);
    expect(movedBetween([at(0, 0, 0)], [])).toBe(0);
    expect(movedBetween([at(0, 0, 0)], [at(1, 0, 0)])).toBe(0);
  });

  it('counts words that changed, moved along their row, or went from its middle', () => {
    expect(movedBetween([at(0, 0, 0)], [at(0, 0, 0, 'other')])).toBe(1);
    expect(movedBetween([at(0, 0, 0), at(1, 0, 5)], [at(0, 0, 2), at(1, 0, 5)])).toBe(1);
    expect(movedBetween([at(0, 0, 0), at(1, 0, 5), at(2, 0, 9)], [at(0, 0, 0), at(2, 0, 9)])).toBe(1);
  });
});

describe('stuckSeconds', () => {
  it('counts the time beyond 3 s for which a spoken word waits and the screen stands still', () => {
    const displays = [{ atMs: 1000 }, { atMs: 10_000 }];
    expect(stuckSeconds([{ spokenMs: 500, seenMs: 1000 }], displays)).toBe(0);
    const waiting = [
      { spokenMs: 500, seenMs: 1000 },
      { spokenMs: 2000, seenMs: 10_000 },
    ];
    expect(stuckSeconds(waiting, displays)).toBe(5);
  });
});

describe('timedSteps', () => {
  it('clears the screen at the time at which live captions would', () => {
    const events = [...arrived([final('Hello.', 0, 1)]), ...arrived([final('Again.', 20, 21)])];
    const cleared = timedSteps(events).filter(({ step }) => step.type === 'clear');
    expect(cleared.map(({ atMs }) => atMs)).toEqual([9500]);
  });

  it('names the final that a step belongs to', () => {
    const given = final('Hello.', 0, 1);
    const [words] = timedSteps(arrived([given]));
    expect(words).toMatchObject({ atMs: 1500, final: given, step: { type: 'words' } });
  });
});

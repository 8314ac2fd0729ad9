import fc from 'fast-check';
import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { LiveCue } from '../../../src/captions/captionStep.ts';
import { type LiveCueOptions, liveCues } from '../../../src/captions/cues/liveCues.ts';
import { MAX_CUE_WAIT_MS } from '../../../src/captions/cues/nextCues.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { CAPTION_PROFILES, type CaptionProfileName } from '../../../src/transcript/cues/captionProfile.ts';
import { cueViolations } from '../../../src/transcript/cues/cueViolations.ts';
import { channelOf, type FinalEvent, type LiveEvent } from '../../../src/transcript/model/events.ts';
import { tokensOf } from '../../../src/transcript/text/tokens.ts';
import { sentence } from '../../helpers/transcriptArbitraries.ts';
import { final, hole, partial, repair, silence } from '../../helpers/transcriptEvents.ts';

const names = Object.keys(CAPTION_PROFILES) as CaptionProfileName[];

/** A session on a virtual clock; its cues so far, with the time at which each arrived. */
function startSession(options: Partial<LiveCueOptions> = {}) {
  const clock = new VirtualClock();
  const events$ = new Subject<LiveEvent>();
  const cues: LiveCue[] = [];
  const arrivedMs: number[] = [];
  const ends: unknown[] = [];
  events$.pipe(liveCues({ clock, spokenAtMs: ts => 1000 + ts * 1000, ...options })).subscribe({
    next: step => {
      cues.push(...step.cues);
      arrivedMs.push(...step.cues.map(() => clock.now()));
    },
    error: error => ends.push(error),
    complete: () => ends.push('complete'),
  });
  return { clock, events$, cues, arrivedMs, ends, texts: () => cues.map(({ lines }) => lines.join(' ')) };
}

describe('liveCues', () => {
  it('emits a cue when the next one begins, up to its start', () => {
    const { events$, cues } = startSession();
    events$.next(final('Shall we go?', 0, 1));
    expect(cues).toEqual([]);
    events$.next(final('No.', 1, 2, 1));
    expect(cues[0]).toMatchObject({ ts: 0, endTs: 0.917, lines: ['Shall we go?'], spokenAtMs: 1000 });
  });

  it('gives each of two channels its own time, and their names', () => {
    const names = ['Room', 'Call'];
    const { clock, events$, cues } = startSession({ speakerName: (_, channel) => names[channel] });
    const text = 'It is a truth universally acknowledged, that a single man is in want of a wife.';
    for (let ts = 0; ts < 30; ts += 5) {
      for (const channel of [0, 1]) {
        const at = ts + channel / 2;
        clock.advance((at + 4.5) * 1000 - clock.now());
        events$.next({ ...final(text, at, at + 4.5), channel });
      }
    }
    events$.complete();
    for (const channel of [0, 1]) {
      const own = cues.filter(cue => channelOf(cue) === channel);
      expect(cueViolations(own, CAPTION_PROFILES.netflix)).toEqual([]);
      for (const { ts, speechTs = ts } of own) expect(ts - speechTs).toBeLessThan(0.5);
      expect(own.filter(({ lines }) => lines[0]!.startsWith(`${names[channel]}: `))).toHaveLength(6);
    }
  });

  it('takes words back that are in no cue yet', () => {
    const { events$, texts } = startSession();
    events$.next(final('This stays.', 0, 1));
    events$.next(final('This does not.', 1, 2));
    events$.next({ ...final('', 1, 2), elements: [], takesBack: true });
    events$.next(final('Neither does this.', 8, 9));
    events$.next({ ...final('', 8, 9), elements: [], takesBack: true });
    events$.complete();
    expect(texts()).toEqual(['This stays.']);
  });

  it('emits a cue once its reading time is over by the clock', () => {
    const { clock, events$, cues } = startSession();
    events$.next(final('Yes.', 0, 0.2));
    clock.advance(600);
    expect(cues).toEqual([]);
    clock.advance(200);
    expect(cues).toMatchObject([{ ts: 0, endTs: 0.833, lines: ['Yes.'] }]);
    expect(clock.pending).toBe(0);
  });

  it('emits a cue once its reading time is over by silence in the audio', () => {
    const { events$, cues } = startSession();
    events$.next(final('Yes.', 0, 0.2));
    events$.next(silence(0.2, 0.7));
    expect(cues).toEqual([]);
    events$.next(silence(0.7, 1));
    expect(cues).toHaveLength(1);
  });

  it('ends a cue before an utterance that is not finished', () => {
    const { clock, events$, cues } = startSession();
    events$.next(final('One two three four five six seven eight nine.', 0, 1.2));
    events$.next(partial('ten', 1.5, 1.9));
    clock.advance(MAX_CUE_WAIT_MS);
    expect(cues[0]!.endTs).toBeCloseTo(1.5 - 2 / 24, 2);
  });

  it('joins short finals of one speaker in one cue', () => {
    const { events$, texts } = startSession({ profile: CAPTION_PROFILES.dcmp });
    events$.next(final('Yes.', 0, 0.3));
    events$.next(final('No.', 0.4, 0.6));
    events$.complete();
    expect(texts()).toEqual(['Yes. No.']);
  });

  it('gives fast words time of the next cue where the profile allows it', () => {
    const { events$, cues } = startSession({ profile: CAPTION_PROFILES.bbc });
    events$.next(final('We went to see it on a day as hot as any.', 0, 3));
    events$.next(final('Then it was cold again, for a very long time.', 3, 9, 1));
    events$.complete();
    const [fast, next] = cues;
    expect(fast).toMatchObject({ ts: 0, endTs: next!.ts });
    expect((11 / fast!.endTs) * 60).toBeLessThan(181);
  });

  it('ends a cue at lost audio, also within a final', () => {
    const { events$, cues, texts } = startSession({ profile: CAPTION_PROFILES.bbc });
    events$.next(hole(1, 1.6));
    events$.next(final('One two', 0, 1));
    events$.next(final('three four', 1.6, 2.6));
    events$.next(hole(4, 12));
    const word = (value: string, ts: number, endTs: number) => ({ type: 'text', value, ts, endTs }) as const;
    events$.next({
      type: 'final',
      ts: 2.6,
      endTs: 13,
      elements: [word('five', 2.6, 3.5), word('six', 3.5, 12.1), word('seven', 12.1, 13)],
    });
    events$.complete();
    expect(texts()).toEqual(['One two', 'three four five six', 'seven']);
    expect(cues.map(({ ts }) => ts)).toEqual([0, 1.6, 12.1]);
    expect(cues[1]!.endTs).toBe(4);
  });

  it('marks a new speaker, and names the speakers once there are several', () => {
    const { events$, cues } = startSession();
    events$.next(final('Are you there?', 0, 1, 0));
    events$.next(final('Yes.', 1.2, 2, 1));
    events$.next({ ...final('Good.', 4, 5, 1), channel: 1 });
    events$.complete();
    expect(cues.map(({ lines, speaker }) => [lines[0], speaker])).toEqual([
      ['Are you there?', undefined],
      ['>> Yes.', 'Speaker 1'],
      ['>> Good.', 'Speaker 1'],
    ]);
  });

  it('uses given names of speakers', () => {
    const { events$, cues } = startSession({
      speakerName: (speaker, channel) => (channel === 1 ? `Ada ${speaker}` : undefined),
    });
    events$.next({ ...final('Hello.', 0, 1), channel: 1 });
    events$.complete();
    expect(cues[0]!.speaker).toBe('Ada 0');
  });

  it('shows a late final after the decided captions', () => {
    const { clock, events$, cues } = startSession();
    events$.next(final('One.', 5, 6));
    clock.advance(MAX_CUE_WAIT_MS);
    events$.next(final('Late.', 2, 3, 1));
    events$.complete();
    expect(cues).toMatchObject([
      { ts: 5, endTs: 6 },
      { ts: 6.083, lines: ['>> Late.'], spokenAtMs: 7083 },
    ]);
  });

  it('gives words without times a share of their final', () => {
    const { events$, cues } = startSession();
    const { elements, ...rest } = final('one two', 10, 12);
    const untimed = elements.map(element => ({ type: element.type, value: element.value }) as const);
    events$.next({ ...rest, elements: untimed });
    events$.complete();
    expect(cues).toMatchObject([{ ts: 10, endTs: 11.6 }]);
  });

  it('ignores partials, holes, repairs and finals without words', () => {
    const { events$, cues, ends } = startSession();
    const gap = hole(0, 5);
    events$.next(partial('one', 0, 1));
    events$.next(gap);
    events$.next(repair(gap, final('two', 0, 1)));
    events$.next(final('', 5, 6));
    events$.complete();
    expect(cues).toEqual([]);
    expect(ends).toEqual(['complete']);
  });

  it('emits everything before an error', () => {
    const { clock, events$, texts, ends } = startSession();
    events$.next(final('One.', 0, 1));
    events$.error('lost');
    expect(texts()).toEqual(['One.']);
    expect(ends).toEqual(['lost']);
    expect(clock.pending).toBe(0);
  });

  it.each(names)('keeps to %s, whatever the finals', name => {
    const profile = CAPTION_PROFILES[name];
    fc.assert(
      fc.property(fc.array(input, { maxLength: 12 }), inputs => {
        const { clock, events$, cues } = startSession({ profile });
        const emitted: LiveCue[] = [];
        for (const { event, waitMs } of inputs) {
          events$.next(event);
          // Emitted cues stay as they are.
          expect(cues.slice(0, emitted.length)).toEqual(emitted);
          emitted.push(...cues.slice(emitted.length).map(cue => structuredClone(cue)));
          clock.advance(waitMs);
        }
        events$.complete();
        const finals = inputs.flatMap(({ event }) => (event.type === 'final' ? [event] : []));
        for (const channel of new Set(finals.map(channelOf))) {
          const own = cues.filter(cue => channelOf(cue) === channel);
          const broken = cueViolations(own, profile).filter(({ rule }) => rule !== 'speed');
          expect(broken).toEqual([]);
          expect(textOfCues(own)).toBe(textOfFinals(finals.filter(one => channelOf(one) === channel)));
        }
        expect(clock.pending).toBe(0);
      }),
    );
  });

  it('emits each word within seven seconds of its final', () => {
    fc.assert(
      fc.property(fc.array(input, { maxLength: 12 }), inputs => {
        const { clock, events$, cues } = startSession();
        const dueMs: { readonly length: number; readonly byMs: number }[] = [];
        const finals: FinalEvent[] = [];
        for (const { event, waitMs } of inputs) {
          if (event.type === 'final') finals.push(event);
          events$.next(event);
          dueMs.push({ length: textOfFinals(finals).length, byMs: clock.now() + MAX_CUE_WAIT_MS });
          clock.advance(waitMs);
          for (const { length, byMs } of dueMs) {
            if (byMs <= clock.now()) expect(textOfCues(cues).length).toBeGreaterThanOrEqual(length);
          }
        }
      }),
    );
  });

  it('violates no rule where words come at an ordinary speed', () => {
    const text =
      'The family of Dashwood had long been settled in Sussex. Their estate was large, and their residence was at Norland Park, in the centre of their property, where, for many generations, they had lived in so respectable a manner.';
    for (const name of names) {
      const { events$, cues } = startSession({ profile: CAPTION_PROFILES[name] });
      let at = 0;
      for (const part of text.split(/(?<=[.,]) /)) {
        const endTs = at + part.length / 15;
        events$.next(final(part, at, endTs));
        at = endTs;
      }
      events$.complete();
      expect(cueViolations(cues, CAPTION_PROFILES[name]), name).toEqual([]);
    }
  });
});

/** A final of any time, speaker and channel, or another event, and the wait after it. */
const input = fc.record({
  event: fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(
          sentence,
          fc.nat({ max: 80 }),
          fc.integer({ min: 1, max: 60 }),
          fc.nat({ max: 2 }),
          fc.constantFrom(undefined, 1),
          fc.constantFrom(0, 1, 1, 1),
        )
        .map(([text, quarter, eighths, speaker, channel, timed]): LiveEvent => {
          const event = final(text, quarter / 4, quarter / 4 + eighths / 8, speaker);
          const elements = event.elements.map(element =>
            timed === 0 ? ({ type: element.type, value: element.value } as const) : element,
          );
          return { ...event, elements, ...(channel && { channel }) };
        }),
    },
    { weight: 1, arbitrary: fc.nat({ max: 80 }).map(at => partial('x', at / 4, at / 4 + 1)) },
    { weight: 1, arbitrary: fc.nat({ max: 80 }).map(at => silence(at / 4, at / 4 + 2)) },
  ),
  waitMs: fc.constantFrom(0, 0, 200, 1500, 9000),
});

const textOfCues = (cues: readonly LiveCue[]) =>
  cues
    .map(({ lines }) => lines.join(''))
    .join('')
    .replaceAll(/>>| /g, '');
const textOfFinals = (finals: readonly FinalEvent[]) =>
  finals
    .map(({ elements }) =>
      tokensOf(elements)
        .map(({ text }) => text)
        .join(''),
    )
    .join('');

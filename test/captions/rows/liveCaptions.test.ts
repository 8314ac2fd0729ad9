import fc from 'fast-check';
import { concat, from, lastValueFrom, NEVER, of, take, toArray } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../src/base/errors.ts';
import { PAUSED_NOTICE } from '../../../src/captions/captionSteps.ts';
import type { CaptionDisplay } from '../../../src/captions/rows/captionDisplay.ts';
import { type LiveCaptionsOptions, liveCaptions } from '../../../src/captions/rows/liveCaptions.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import type { FinalEvent, LiveEvent, TranscriptEvent } from '../../../src/transcript/model/events.ts';
import { textWidth } from '../../../src/transcript/text/textWidth.ts';
import { tokensOf } from '../../../src/transcript/text/tokens.ts';
import { rolledUp } from '../../helpers/rolledUp.ts';
import { schedulerClock } from '../../helpers/schedulerClock.ts';
import { final, hole, liveEventSequence, partial, repair, silence } from '../../helpers/transcriptEvents.ts';

const scheduler = () => new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
const events = {
  c: { type: 'connected', id: 's1' },
  p: partial('one two', 0, 1),
  q: partial('one two', 0, 2),
  f: final('One two.', 0, 3),
  g: final('Three four.', 3, 4),
} satisfies Record<string, TranscriptEvent>;
const display = (sequence: number, rows: string[], tail = '', settled: string[] = []): CaptionDisplay => ({
  sequence,
  rows,
  tail,
  settled,
});
const displays = {
  P: display(1, [], 'One two'),
  Q: display(2, ['One'], 'two'),
  F: display(3, ['One two.']),
  C: display(4, [], '', ['One two.']),
  G: display(5, ['Three four.']),
  D: display(6, [], '', ['Three four.']),
  H: display(4, ['One two. Three four.']),
  E: display(5, [], '', ['One two. Three four.']),
};
const options: LiveCaptionsOptions = {
  agreePartials: 2,
  tailPartials: 1,
  clearAfterMs: 5,
  clock: schedulerClock,
};

describe('liveCaptions', () => {
  it('shows words as they become certain, and settles all at the end', () => {
    scheduler().run(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<TranscriptEvent>('-c-p-q-f-f-g-|', events);
      expectObservable(source$.pipe(liveCaptions(options))).toBe(
        '---P-Q-F---H-E|'.replace('E|', '(E|)'),
        displays,
      );
      expectSubscriptions(source$.subscriptions).toBe('^------------!');
    });
  });

  it('clears the screen after silence', () => {
    scheduler().run(({ cold, expectObservable }) => {
      const source$ = cold<TranscriptEvent>('p-q-f---------g--|', events);
      expectObservable(source$.pipe(liveCaptions(options))).toBe('P-Q-F----C----G--(D|)', displays);
    });
  });

  it('settles the text on the screen before it passes an error on', () => {
    scheduler().run(({ cold, expectObservable }) => {
      const source$ = cold<TranscriptEvent>('p-q-#', events, new Error('lost'));
      const end = { Z: display(3, [], '', ['One']) };
      expectObservable(source$.pipe(liveCaptions(options))).toBe(
        'P-Q-(Z#)',
        { ...displays, ...end },
        new Error('lost'),
      );
    });
  });

  it('unsubscribes from everything', () => {
    scheduler().run(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const source$ = cold<TranscriptEvent>('p-q-f--------', events);
      const paused$ = hot<boolean>('-------------');
      expectObservable(source$.pipe(liveCaptions({ ...options, paused$ })), '^----!').toBe('P-Q-F', displays);
      expectSubscriptions(source$.subscriptions).toBe('^----!');
      expectSubscriptions(paused$.subscriptions).toBe('^----!');
    });
  });

  it('leaves no timer behind', () => {
    const clock = new VirtualClock();
    const subscription = concat(of(events.f), NEVER).pipe(liveCaptions({ clock })).subscribe();
    expect(clock.pending).toBe(1);
    subscription.unsubscribe();
    expect(clock.pending).toBe(0);
    of(events.f).pipe(liveCaptions({ clock })).subscribe();
    expect(clock.pending).toBe(0);
  });

  it('takes no more of a source that emits at once than is asked for', () => {
    let taken = 0;
    function* finals() {
      while (taken < 100) yield final('word', taken, ++taken);
    }
    const clock = new VirtualClock();
    from(finals()).pipe(liveCaptions({ clock }), take(1)).subscribe();
    expect(taken).toBeLessThan(3);
    expect(clock.pending).toBe(0);
  });

  it('shows words that have become stale, though a message that says nothing new repeats them, and then clears them', () => {
    scheduler().run(({ cold, expectObservable }) => {
      const source$ = cold<TranscriptEvent>('p--------c-p-|', events);
      expectObservable(source$.pipe(liveCaptions({ ...options, staleAfterMs: 6 }))).toBe(
        'P-----S----C-(E|)',
        {
          ...displays,
          S: display(2, ['One two']),
          C: display(3, []),
          E: display(4, [], '', ['One two']),
        },
      );
    });
  });

  it('shows a notice during an outage, and does not clear it', () => {
    scheduler().run(({ cold, expectObservable }) => {
      const source$ = cold<TranscriptEvent>('f------------g--------|', events);
      const paused$ = cold<boolean>('       --a-a--------b', { a: true, b: false });
      expectObservable(source$.pipe(liveCaptions({ ...options, paused$ }))).toBe('A-B----------C----D---|', {
        A: display(1, ['One two.']),
        B: display(2, ['One two.', PAUSED_NOTICE]),
        C: display(3, ['One two.', PAUSED_NOTICE, 'Three four.']),
        D: display(4, [], '', ['One two.', PAUSED_NOTICE, 'Three four.']),
      });
    });
  });

  const shownAtOnce = (list: readonly LiveEvent[]) =>
    lastValueFrom(
      from(list).pipe(
        liveCaptions({ agreePartials: 1, holdBackWords: 0, clock: new VirtualClock() }),
        toArray(),
      ),
    );
  const settledOf = async (list: readonly LiveEvent[]) =>
    (await shownAtOnce(list)).flatMap(({ settled }) => settled);

  it('shows the notice once for speech of which there will be no text', async () => {
    const list = [events.f, hole(3, 4), hole(4, 5, 'gave-up'), final('Three.', 5, 6)];
    expect(await settledOf(list)).toEqual(['One two.', PAUSED_NOTICE, 'Three.']);
  });

  it('shows no notice for some milliseconds that a microphone lost', async () => {
    const list = [events.f, partial('three', 2, 4), hole(3, 3.012, 'gap'), final('Three four.', 2, 6)];
    expect(await settledOf(list)).toEqual(['One two. Three four.']);
  });

  it('shows no notice for a hole before the last shown word', async () => {
    expect(await settledOf([events.f, hole(1, 2)])).toEqual(['One two.']);
  });

  it('passes over silence and repairs', async () => {
    const list = [events.f, silence(3, 4), repair(hole(1, 2), final('more', 1, 2))];
    expect(await settledOf(list)).toEqual(['One two.']);
  });

  it.each([
    { event: hole(3, 5), expected: ['One two. Three', PAUSED_NOTICE, 'Four five.'] },
    { event: silence(3, 5), expected: ['One two. Three Four five.'] },
  ])('goes on after an utterance that ended in $event.type', async ({ event, expected }) => {
    const list = [events.f, partial('three', 3, 4), event, final('Four five.', 5, 6)];
    expect(await settledOf(list)).toEqual(expected);
  });

  it('takes the final of another channel for no correction', async () => {
    const other = { ...final('Yes.', 0, 9, 1), channel: 1 };
    const list = [partial('one', 0, 1), other, partial('one two', 0, 2), final('One two.', 0, 3, 0)];
    const shown = await shownAtOnce(list);
    expect(shown.at(-2)!.rows.join(' ')).toBe('One Yes. two');
    expect(shown.flatMap(({ settled }) => settled).join(' ')).toBe('>> One Yes. two.');
  });

  it('shows the notice of a second outage once where nothing was said between', async () => {
    const paused$ = of(true, false, true, false);
    const shown = await lastValueFrom(of(events.f).pipe(liveCaptions({ paused$ }), toArray()));
    expect(shown.flatMap(({ settled }) => settled)).toEqual([PAUSED_NOTICE, 'One two.']);
  });

  it('settles the text on the screen before it passes an error of the status on', () => {
    scheduler().run(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<TranscriptEvent>('f-----', events);
      const paused$ = cold<boolean>('--#', {}, new Error('status'));
      expectObservable(source$.pipe(liveCaptions({ ...options, paused$ }))).toBe(
        'A-(B#)',
        { A: display(1, ['One two.']), B: display(2, [], '', ['One two.']) },
        new Error('status'),
      );
      expectSubscriptions(source$.subscriptions).toBe('^-!');
    });
  });

  it('asks for the columns of a screen that changes', async () => {
    let columns = 20;
    const source$ = from([final('one two three four', 0, 1), final('five six', 1, 2)]);
    const shown: CaptionDisplay[] = [];
    await source$.pipe(liveCaptions({ columns: () => columns })).forEach(next => {
      shown.push(next);
      columns = 4;
    });
    expect(shown[1]!.rows).toEqual(['one two three four', 'five', 'six']);
  });

  it('refuses sizes and times that are none', () => {
    for (const wrong of [
      { rows: 0 },
      { columns: 2.5 },
      { columns: Number.NaN },
      { clearAfterMs: 0 },
      { clearAfterMs: Number.NaN },
    ]) {
      expect(() => liveCaptions(wrong)).toThrow(InvalidArgumentError);
    }
  });

  it('treats an option that is undefined as not given', async () => {
    const none = {
      rows: undefined,
      columns: undefined,
      clearAfterMs: undefined,
      clock: undefined,
      paused$: undefined,
      agreeMs: undefined,
      agreePartials: undefined,
      tailPartials: undefined,
      holdBackWords: undefined,
    };
    const shown = (given: LiveCaptionsOptions) =>
      lastValueFrom(from([events.p, events.q, events.f]).pipe(liveCaptions(given), toArray()));
    expect(await shown(none)).toEqual(await shown({}));
  });
});

describe('liveCaptions, whatever comes', () => {
  const settings = fc.record({
    columns: fc.integer({ min: 1, max: 30 }),
    rows: fc.integer({ min: 1, max: 3 }),
    agreePartials: fc.integer({ min: 1, max: 3 }),
    tailPartials: fc.integer({ min: 1, max: 2 }),
    paused$: fc.constantFrom(NEVER, of(true), of(true, false)),
  });
  const shownOf = (list: readonly LiveEvent[], given: LiveCaptionsOptions) => {
    const shown: CaptionDisplay[] = [];
    from(list)
      .pipe(liveCaptions({ ...given, clock: new VirtualClock() }))
      .subscribe(next => shown.push(next));
    return shown;
  };

  it('never changes or moves a word that is shown, but with its whole row', () => {
    fc.assert(
      fc.property(liveEventSequence, settings, (list, given) => {
        let before: readonly string[] = [];
        for (const [index, { sequence, rows, tail }] of shownOf(list, given).entries()) {
          expect(sequence).toBe(index + 1);
          expect(rows.length).toBeLessThanOrEqual(given.rows);
          for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(given.columns);
          expect(textWidth([rows.at(-1), tail].filter(Boolean).join(' '))).toBeLessThanOrEqual(given.columns);
          expect(rolledUp(before, rows, given.rows)).toBe(true);
          before = rows;
        }
      }),
    );
  });

  it('settles each word of a final, or a word that was shown in its place', () => {
    fc.assert(
      fc.property(liveEventSequence, settings, (events, given) => {
        const list = events.filter(event => !('channel' in event));
        const settled = shownOf(list, { ...given, columns: given.columns + 10, paused$: NEVER })
          .flatMap(display => display.settled.flatMap(line => line.split(' ')))
          .filter(word => !PAUSED_NOTICE.split(' ').includes(word));
        const finals = list.filter((event, index) => event.type === 'final' && isNew(list, index));
        const words = finals.flatMap(event => ('elements' in event ? tokensOf(event.elements) : []));
        expect(settled.length).toBeGreaterThanOrEqual(words.length);
      }),
    );
  });

  it('settles the transcript where finals come in order', () => {
    const sentence = fc.array(fc.constantFrom('one', 'two', 'six', 'Ten,', 'um'), {
      minLength: 1,
      maxLength: 8,
    });
    const utterance = fc.record({ heard: fc.array(sentence, { maxLength: 4 }), said: sentence });
    fc.assert(
      fc.property(fc.array(utterance, { maxLength: 5 }), settings, (utterances, given) => {
        const list = utterances.flatMap(({ heard, said }, index): TranscriptEvent[] => [
          ...heard.map((words, step) => partial(words.join(' '), index, index + (step + 1) / 8)),
          final(said.join(' '), index, index + 1),
        ]);
        const shown = shownOf(list, { ...given, columns: given.columns + 10, paused$: NEVER });
        expect(shown.flatMap(({ settled }) => settled).join(' ')).toBe(
          utterances.flatMap(({ said }) => said).join(' '),
        );
      }),
    );
  });
});

/** Returns whether no final and no hole of its span came earlier: those settle the wording of what was shown in it. */
function isNew(list: readonly LiveEvent[], index: number): boolean {
  const { ts, endTs } = list[index] as FinalEvent;
  return !list
    .slice(0, index)
    .some(one => (one.type === 'hole' || one.type === 'final') && one.ts < endTs && one.endTs > ts);
}

import fc from 'fast-check';
import { lastValueFrom, of } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import {
  emptyLiveTranscript,
  type LiveTranscript,
  mergeEvent,
  mergeTranscript,
} from '../../../src/transcript/merge/merge.ts';
import type { FinalEvent, LiveEvent, TranscriptEvent } from '../../../src/transcript/model/events.ts';
import { type TextElement, type TranscriptElement, textOf } from '../../../src/transcript/model/model.ts';
import {
  eventSequence,
  final,
  hole,
  liveEventSequence,
  partial,
  repair,
  silence,
} from '../../helpers/transcriptEvents.ts';

const mergeAll = (events: readonly LiveEvent[], from: LiveTranscript = emptyLiveTranscript) =>
  events.reduce(mergeEvent, from);

const elementsOf = ({ transcript }: LiveTranscript): readonly TranscriptElement[] =>
  transcript.monologues.flatMap(monologue => monologue.elements);

const timed = (elements: readonly TranscriptElement[]) =>
  elements.filter(element => element.type === 'text' && element.ts !== undefined) as Required<TextElement>[];

const isWord = ({ value }: TranscriptElement) => value !== ' ';
const values = (elements: readonly TranscriptElement[]) =>
  elements.filter(isWord).map(element => element.value);

describe('mergeEvent', () => {
  it('joins finals of one speaker into one monologue with a space between', () => {
    const { transcript } = mergeAll([final('Hello there.', 0, 1), final('How are you?', 1, 2)]);
    expect(transcript.monologues).toHaveLength(1);
    expect(textOf(transcript.monologues[0]!.elements)).toBe('Hello there. How are you?');
  });

  it('adds no second space where a final brings its own', () => {
    const space = { type: 'punct', value: ' ' } as const;
    const second = final('again', 1, 2);
    const { transcript } = mergeAll([
      final('Hello', 0, 1),
      { ...second, elements: [space, ...second.elements] },
    ]);
    expect(textOf(transcript.monologues[0]!.elements)).toBe('Hello again');
  });

  it('opens a monologue where the speaker changes', () => {
    const { transcript } = mergeAll([
      final('Hello.', 0, 1),
      final('Hi.', 1, 2, 1),
      final('And', 2, 3, 1),
      final('Yes.', 3, 4, 0),
    ]);
    expect(transcript.monologues.map(({ speaker, elements }) => [speaker, textOf(elements)])).toEqual([
      [0, 'Hello.'],
      [1, 'Hi. And'],
      [0, 'Yes.'],
    ]);
  });

  it('keeps the id of the latest connection', () => {
    const live = mergeAll([{ type: 'connected', id: 'a' }, final('x', 0, 1), { type: 'connected', id: 'b' }]);
    expect(live.id).toBe('b');
    expect(elementsOf(live)).toHaveLength(1);
  });

  it('replaces the tail by each partial and clears it by the final that covers it', () => {
    const first = mergeAll([partial('he', 0, 1)]);
    const second = mergeEvent(first, partial('hello', 0, 2));
    expect(first.tail).toEqual(partial('he', 0, 1));
    expect(second.tail).toEqual(partial('hello', 0, 2));
    expect(mergeEvent(second, final('Hello.', 0, 2)).tail).toBeUndefined();
  });

  it('keeps a tail that begins where a late final ends', () => {
    const live = mergeAll([partial('next', 2, 3), final('Before.', 0, 2)]);
    expect(live.tail).toEqual(partial('next', 2, 3));
  });

  it('passes over a partial that is final already', () => {
    const live = mergeAll([partial('hello', 0, 2), final('Hello.', 0, 2)]);
    expect(mergeEvent(live, partial('hello', 0, 2))).toBe(live);
    expect(mergeEvent(live, partial('hello', 0, 1))).toBe(live);
    expect(mergeEvent(live, partial('the next', 2, 3)).tail).toEqual(partial('the next', 2, 3));
  });

  it('clears the tail by a final without words, once', () => {
    const silence: FinalEvent = { type: 'final', ts: 0, endTs: 2, elements: [] };
    const live = mergeAll([partial('uh', 0, 1), silence]);
    expect(live).toEqual({
      transcript: { monologues: [], coverage: [{ ts: 0, endTs: 2, kind: 'silence' }] },
    });
    expect(mergeEvent(live, silence)).toBe(live);
    expect(mergeEvent(live, partial('uh', 0, 1))).toBe(live);
  });

  it('inserts a late final in order of time', () => {
    const { transcript } = mergeAll([
      final('one', 0, 1),
      final('three', 2, 3),
      final('four', 3, 4),
      final('two', 1, 2, 1),
    ]);
    expect(transcript.monologues.map(({ speaker, elements }) => [speaker, textOf(elements)])).toEqual([
      [0, 'one'],
      [1, 'two'],
      [0, 'three four'],
    ]);
  });

  it('clamps the newcomer where finals overlap, and keeps every word', () => {
    const live = mergeAll([final('a b', 0, 2), final('c d', 1.5, 3.5), final('x y', 0.5, 9)]);
    expect(timed(elementsOf(live)).map(({ value, ts, endTs }) => [value, ts, endTs])).toEqual([
      ['a', 0, 1],
      ['b', 1, 2],
      ['x', 2, 2],
      ['y', 2, 2],
      ['c', 2, 2.5],
      ['d', 2.5, 3.5],
    ]);
  });

  it('goes on from a transcript that it did not make', () => {
    const made = mergeAll([final('one', 0, 1), final('two', 1, 2, 1)]);
    const read: LiveTranscript = JSON.parse(JSON.stringify(made));
    expect(read).toEqual(made);
    const next = mergeAll([final('three', 2, 3, 1)], read);
    expect(next).toEqual(mergeAll([final('three', 2, 3, 1)], made));
  });

  it('keeps the names of speakers of a transcript that it did not make', () => {
    const speakerInfo = { id: '0', displayName: 'Ann' };
    const { elements } = final('two', 1, 2);
    const live = mergeAll([final('three', 2, 3), final('one', 0, 1)], {
      transcript: { monologues: [{ speaker: 0, speakerInfo, elements }] },
    });
    expect(live.transcript.monologues).toHaveLength(1);
    expect(live.transcript.monologues[0]).toMatchObject({ speakerInfo });
    expect(textOf(live.transcript.monologues[0]!.elements)).toBe('one two three');
  });

  it('shares ended monologues between versions', () => {
    const before = mergeAll([final('one', 0, 1), final('two', 1, 2, 1)]);
    const ended = before.transcript.monologues[0];
    const after = mergeAll([final('three', 2, 3, 1), final('four', 3, 4)], before);
    expect(after.transcript.monologues[0]).toBe(ended);
    expect(before.transcript.monologues).toHaveLength(2);
  });

  it('merges a 3-hour session without copying earlier text', () => {
    const { elements } = final('one two three four five six seven eight nine ten', 0, 1);
    let live = emptyLiveTranscript;
    for (let index = 0; index < 20_000; index++) {
      live = mergeEvent(live, { type: 'final', ts: index, endTs: index + 1, elements });
    }
    expect(elementsOf(live)).toHaveLength(20_000 * (elements.length + 1) - 1);
  });
});

const turns = ({ transcript }: LiveTranscript) =>
  transcript.monologues.map(({ speaker, elements }) => [speaker, textOf(elements)]);

interface SaidWord {
  readonly speaker: number;
  readonly isMissing: boolean;
  readonly channel: number | undefined;
}

/** Words a second each, of one channel: a final of those that are not missing, one after it, and repairs of the others. */
function finalAndRepairs(words: readonly SaidWord[], channel: number | undefined): readonly LiveEvent[] {
  const timed = words.map((word, index) => ({ ...word, said: final(`w${index}`, index, index + 1) }));
  const own = timed.filter(word => word.channel === channel);
  const heard = own.filter(({ isMissing }) => !isMissing).map(({ said }) => said);
  const around: FinalEvent[] = heard.length === 0 ? [] : [joined(heard)];
  const repairs = own
    .filter(({ isMissing }) => isMissing)
    .map(({ said, speaker }) => repair(hole(said.ts, said.endTs), { ...said, speaker }));
  const later = final('later', words.length + (channel ?? 0), words.length + 1 + (channel ?? 0));
  return [...around, later, ...repairs].map(event => ({ ...event, ...(channel && { channel }) }));
}

/** Finals as one. */
const joined = (finals: readonly FinalEvent[]): FinalEvent => ({
  ...finals[0]!,
  endTs: finals.at(-1)!.endTs,
  elements: finals.flatMap(({ elements }, index) =>
    index === 0 ? elements : [{ type: 'punct', value: ' ' } as const, ...elements],
  ),
});

describe('mergeEvent, of repairs', () => {
  const gap = hole(1, 3);

  it('inserts the words of a job between the finals', () => {
    const live = mergeAll([
      final('one', 0, 1),
      gap,
      final('four', 3, 4),
      repair(gap, final('two three', 1, 3)),
    ]);
    expect(turns(live)).toEqual([[0, 'one two three four']]);
  });

  it('opens monologues for other speakers', () => {
    const heard = [final('two', 1, 2, 1), final('three', 2, 3, 2)];
    const live = mergeAll([final('one', 0, 1), gap, final('four', 3, 4, 2), repair(gap, ...heard)]);
    expect(turns(live)).toEqual([
      [0, 'one'],
      [1, 'two'],
      [2, 'three four'],
    ]);
  });

  it('puts it into the middle of a final, whose words stay as they are', () => {
    const around = final('one two, "three" four', 0, 4);
    const live = mergeAll([around, hole(1.9, 2.1), repair(hole(1.9, 2.1), final('or', 1.95, 2, 1))]);
    expect(turns(live)).toEqual([
      [0, 'one two,'],
      [1, 'or'],
      [0, '"three" four'],
    ]);
    expect(timed(elementsOf(live)).map(({ ts }) => ts)).toEqual([0, 1, 2, 2, 3]);
    expect(mergeEvent(live, around)).toBe(live);
  });

  it('puts it before a final that began in the hole', () => {
    const late: FinalEvent = { ...final('four', 3, 4), ts: 0 };
    const live = mergeAll([late, gap, repair(gap, final('two', 1, 2, 1))]);
    expect(turns(live)).toEqual([
      [1, 'two'],
      [0, 'four'],
    ]);
    expect(mergeEvent(live, late)).toBe(live);
  });

  it('is the same before and after the finals after it', () => {
    const mended = repair(gap, final('two three', 1, 3, 1));
    const [one, four] = [final('one', 0, 1), final('four', 3, 4)];
    expect(mergeAll([one, four, gap, mended])).toEqual(mergeAll([one, gap, mended, four]));
  });

  it('puts it into the middle of a final that comes later', () => {
    const around = final('one two, "three" four', 0, 4);
    const mended = repair(hole(1.9, 2.1), final('or', 2, 2.1, 1));
    const live = mergeAll([hole(1.9, 2.1), mended, around]);
    expect(turns(live)).toEqual([
      [0, 'one two, "three"'],
      [1, 'or'],
      [0, 'four'],
    ]);
    expect(mergeEvent(live, around)).toBe(live);
    expect(mergeEvent(live, mended)).toBe(live);
  });

  it('gives the same, whatever the order of repairs and of the finals around and after them', () => {
    const said = fc.array(
      fc.record({
        speaker: fc.nat({ max: 1 }),
        isMissing: fc.boolean(),
        channel: fc.constantFrom(undefined, 1),
      }),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(said, fc.array(fc.nat({ max: 5 }), { minLength: 40, maxLength: 40 }), (words, order) => {
        const events = [undefined, 1].flatMap(channel => finalAndRepairs(words, channel));
        const moved = events.toSorted((a, b) => order[events.indexOf(a)]! - order[events.indexOf(b)]!);
        expect(mergeAll(moved).transcript.monologues).toEqual(mergeAll(events).transcript.monologues);
      }),
    );
  });

  it('leaves the unfinished utterance alone', () => {
    const live = mergeAll([gap, partial('later', 0, 4)]);
    expect(mergeEvent(live, repair(gap, final('two', 1, 2))).tail).toEqual(partial('later', 0, 4));
  });
});

describe('mergeEvent, of silence and holes', () => {
  it.each([silence(1, 3), hole(1, 3)])('clears the tail that lies within $type', event => {
    expect(mergeAll([partial('uh', 1, 2), event]).tail).toBeUndefined();
    expect(mergeAll([partial('uh', 1, 3.005), event]).tail).toBeUndefined();
    expect(mergeAll([partial('and then', 1, 4), event]).tail).toBeDefined();
    expect(mergeAll([partial('and', 0, 2), event]).tail).toBeDefined();
    expect(mergeAll([partial('then', 3, 4), event]).tail).toBeDefined();
  });

  it('changes no text', () => {
    const live = mergeAll([final('one', 0, 1), final('two', 3, 4)]);
    expect(mergeAll([hole(1, 2), silence(2, 3)], live).transcript.monologues).toEqual(
      live.transcript.monologues,
    );
  });
});

describe('mergeEvent, of channels streamed apart', () => {
  const left = final('one two', 0, 2, 0);
  const right: FinalEvent = { ...final('yes yes', 1, 3, 1), channel: 1 };

  it('leaves words of channels at the same time as they are', () => {
    const live = mergeAll([left, right, final('three', 2, 3, 0)]);
    expect(turns(live)).toEqual([
      [0, 'one two'],
      [1, 'yes yes'],
      [0, 'three'],
    ]);
    expect(timed(elementsOf(live)).map(({ ts, endTs }) => [ts, endTs])).toEqual([
      [0, 1],
      [1, 2],
      [1, 2],
      [2, 3],
      [2, 3],
    ]);
  });

  it('leaves them so when a channel comes late', () => {
    expect(mergeAll([right, left])).toEqual(mergeAll([left, right]));
  });

  it('clamps words that reach into a final of their own channel', () => {
    const live = mergeAll([left, right, { ...final('no', 2, 4, 1), channel: 1 }]);
    expect(timed(elementsOf(live)).at(-1)).toMatchObject({ value: 'no', ts: 3, endTs: 4 });
  });

  it('keeps the tail of a channel though another one is further', () => {
    const live = mergeAll([right, partial('one', 0, 1)]);
    expect(live.tail).toEqual(partial('one', 0, 1));
    expect(mergeEvent(live, { ...final('more', 3, 4, 1), channel: 1 }).tail).toBeDefined();
    expect(mergeEvent(live, left).tail).toBeUndefined();
  });

  it('splices a repair into its channel', () => {
    const gap = { ...hole(3, 4), channel: 1 };
    const mended = { ...repair(gap, final('no', 3, 4, 1)), channel: 1 };
    const live = mergeAll([left, right, gap, final('three four', 2, 6, 0), mended]);
    expect(timed(elementsOf(live)).map(({ value, ts }) => [value, ts])).toEqual([
      ['one', 0],
      ['two', 1],
      ['yes', 1],
      ['yes', 2],
      ['three', 2],
      ['four', 4],
      ['no', 3],
    ]);
  });
});

describe('mergeEvent, whatever comes', () => {
  it('changes nothing by the same message again', () => {
    fc.assert(
      fc.property(liveEventSequence, events => {
        let live = emptyLiveTranscript;
        for (const event of events) {
          live = mergeEvent(live, event);
          expect(mergeEvent(live, structuredClone(event))).toBe(live);
        }
        const finals = events.filter(event => event.type === 'final');
        expect(mergeAll(finals, live).transcript).toBe(live.transcript);
      }),
    );
  });

  it('keeps the starts of words of finals in order', () => {
    fc.assert(
      fc.property(eventSequence, events => {
        const words = timed(elementsOf(mergeAll(events)));
        const starts = words.map(({ ts }) => ts);
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
        for (const { ts, endTs = ts } of words) expect(endTs).toBeGreaterThanOrEqual(ts);
      }),
    );
  });

  // The order of words may change: the words of a repair split a final that overlaps others.
  it('never changes words that were final', () => {
    fc.assert(
      fc.property(liveEventSequence, fc.integer({ min: 0, max: 20 }), (events, cut) => {
        const before = mergeAll(events.slice(0, cut));
        const then = structuredClone(elementsOf(before));
        const after = elementsOf(mergeAll(events.slice(cut), before));
        expect(elementsOf(before)).toEqual(then);
        const left = after.map(element => JSON.stringify(element));
        for (const word of then.filter(isWord).map(element => JSON.stringify(element))) {
          expect(left).toContain(word);
          left.splice(left.indexOf(word), 1);
        }
      }),
    );
  });

  it('keeps every word of finals and repairs once', () => {
    fc.assert(
      fc.property(liveEventSequence, events => {
        const heard = events.flatMap(event => {
          if (event.type === 'repair')
            return event.monologues.map(turn => ({ ...turn, channel: event.channel }));
          if (event.type !== 'final') return [];
          return [{ speaker: event.speaker ?? 0, elements: event.elements, channel: event.channel, event }];
        });
        const distinct = new Set(heard.map(turn => JSON.stringify(turn)));
        const words = [...distinct].flatMap(turn => values(JSON.parse(turn).elements));
        expect(values(elementsOf(mergeAll(events))).sort()).toEqual(words.sort());
      }),
    );
  });

  it('never joins two monologues of one speaker or leaves one empty', () => {
    fc.assert(
      fc.property(liveEventSequence, events => {
        const { monologues } = mergeAll(events).transcript;
        monologues.forEach(({ speaker, elements }, index) => {
          expect(elements.length).toBeGreaterThan(0);
          expect(speaker).not.toBe(monologues[index - 1]?.speaker);
        });
      }),
    );
  });

  it('gives the transcript of the finals in order, whatever the order of their arrival', () => {
    const finals = Array.from({ length: 8 }, (_, index) => final(`w${index}`, index, index + 1, index % 2));
    fc.assert(
      fc.property(fc.shuffledSubarray(finals, { minLength: 8 }), shuffled => {
        expect(mergeAll(shuffled)).toEqual(mergeAll(finals));
      }),
    );
  });
});

describe('mergeTranscript', () => {
  const scheduler = () => new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
  const events = {
    c: { type: 'connected', id: 's1' },
    p: partial('he', 0, 1),
    f: final('Hello.', 0, 2),
  } satisfies Record<string, TranscriptEvent>;
  const states = {
    C: mergeAll([events.c]),
    P: mergeAll([events.c, events.p]),
    F: mergeAll([events.c, events.p, events.f]),
  };

  it('emits each change and ignores events without one', () => {
    scheduler().run(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<TranscriptEvent>('-c-cp-p-f-f-p|', events);
      expectObservable(source$.pipe(mergeTranscript())).toBe('-C--P---F----|', states);
      expectSubscriptions(source$.subscriptions).toBe('^------------!');
    });
  });

  it('starts afresh with each subscription', async () => {
    const merged$ = of<TranscriptEvent[]>(events.c, events.f).pipe(mergeTranscript());
    expect(await lastValueFrom(merged$)).toEqual(await lastValueFrom(merged$));
  });
});

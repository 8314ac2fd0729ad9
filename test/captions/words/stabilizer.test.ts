import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StabilizerOptions } from '../../../src/captions/words/agreement.ts';
import {
  initialStabilizerState,
  type StabilizerStep,
  stabilize,
} from '../../../src/captions/words/stabilizer.ts';
import { spanOf, splitRepeated } from '../../../src/captions/words/utterances.ts';
import type { TranscriptEvent } from '../../../src/transcript/model/events.ts';
import { commonPrefixLength, tokensOf, wordKey } from '../../../src/transcript/text/tokens.ts';
import { eventSequence, final, partial } from '../../helpers/transcriptEvents.ts';

/** Two partials that agree make a word stable; time alone makes none. All others stand in the tail. */
const TWO: StabilizerOptions = { agreePartials: 2, agreeMs: Number.POSITIVE_INFINITY, tailPartials: 1 };

function stepsOf(events: readonly TranscriptEvent[], options: StabilizerOptions = TWO): StabilizerStep[] {
  let state = initialStabilizerState;
  return events.map(event => {
    const step = stabilize(state, event, options);
    state = step.state;
    return step;
  });
}

/** Returns the new words of each step, and its tail in brackets. */
function story(events: readonly TranscriptEvent[], options?: StabilizerOptions): string[] {
  return stepsOf(events, options).map(({ added, tail }) => {
    const words = added.map(word => (word.opensTurn ? `>> ${word.text}` : word.text));
    return [...words, ...(tail.length > 0 ? [`(${tail.join(' ')})`] : [])].join(' ');
  });
}

describe('stabilize', () => {
  it('shows words on which partials agree, but the last', () => {
    expect(
      story([
        partial('he', 0, 1),
        partial('he was', 0, 2),
        partial('he was not', 0, 3),
        partial('he was not an', 0, 4),
      ]),
    ).toEqual(['(he)', 'he (was)', 'was (not)', 'not (an)']);
  });

  it('holds back as many words as the option says', () => {
    const events = [partial('he was not', 0, 1), partial('he was not', 0, 2)];
    const more = partial('he was not an', 0, 3);
    expect(story([...events, more], { ...TWO, holdBackWords: 2 }).slice(1)).toEqual([
      'he (was not)',
      'was (not an)',
    ]);
    expect(story(events, { ...TWO, holdBackWords: 0 })[1]).toBe('he was not');
  });

  it('shows words on which partials agree for a time of audio', () => {
    const options = { agreePartials: 100, agreeMs: 700, tailPartials: 1 };
    expect(
      story([partial('he was', 0, 1), partial('he was', 0, 1.6), partial('he was', 0, 1.7)], options),
    ).toEqual(['(he was)', '(he was)', 'he (was)']);
  });

  it('waits for words before a word, however sure that one is', () => {
    expect(
      story([partial('a dog ran', 0, 1), partial('the dog ran', 0, 2), partial('a dog ran', 0, 3)]),
    ).toEqual(['(a dog ran)', '', '(a dog ran)']);
  });

  it('lets words into the tail on which partials agree', () => {
    expect(
      story([partial('it is', 0, 1), partial('it was a', 0, 2), partial('it was no', 0, 3)], {
        ...TWO,
        agreePartials: 3,
        tailPartials: 2,
      }),
    ).toEqual(['', '(it)', 'it (was)']);
  });

  it('cuts a tail back where it was wrong before it lets it grow again', () => {
    expect(
      story([partial('it is a', 0, 1), partial('it is the house', 0, 2), partial('it is the house', 0, 3)]),
    ).toEqual(['(it is a)', 'it is', 'the (house)']);
  });

  it('shows the rest with the final, as the final writes it', () => {
    expect(
      story([partial('he was not', 0, 1), partial('he was not', 0, 2), final('He was not there.', 0, 3)]),
    ).toEqual(['(he was not)', 'he was (not)', 'not there.']);
  });

  it('never changes a shown word for its case or marks', () => {
    const steps = stepsOf([
      partial('well then i', 0, 1),
      partial('well then i', 0, 2),
      final('Well, then I', 0, 3),
    ]);
    expect(steps.flatMap(step => step.added.map(word => word.text))).toEqual(['well', 'then', 'I']);
    expect([...steps.at(-1)!.wording.values()]).toEqual(['Well,', 'then', 'I']);
  });

  it('takes another way to write the same letters for no correction', () => {
    expect(
      story([
        partial('not an ill disposed young man', 0, 1),
        partial('not an ill disposed young man', 0, 2),
        final('Not an ill-disposed young man.', 0, 3),
      ]).at(-1),
    ).toBe('man.');
  });

  it('corrects the last shown words before it goes on', () => {
    expect(
      story([
        partial('i have a bat it', 0, 1),
        partial('i have a bat it', 0, 2),
        final('I have a cat sitting here.', 0, 3),
      ]).at(-1),
    ).toBe('-- cat sitting here.');
  });

  it('corrects earlier words after the rest', () => {
    const steps = stepsOf([
      partial('the bat sat on the', 0, 1),
      partial('the bat sat on the', 0, 2),
      final('The cat sat on the mat.', 0, 3),
    ]);
    expect(steps.at(-1)!.added).toEqual([
      { id: 4, text: 'the' },
      { id: 5, text: 'mat.' },
      { id: 6, text: '-- cat', corrects: 1, aside: true },
    ]);
    expect([...steps.at(-1)!.wording]).toEqual([
      [0, 'The'],
      [1, 'cat'],
      [2, 'sat'],
      [3, 'on'],
      [4, 'the'],
      [5, 'mat.'],
      [6, ''],
    ]);
  });

  it('repeats the word after one that was missing', () => {
    const heard = 'i do like it so';
    expect(
      story([partial(heard, 0, 1), partial(heard, 0, 2), final('I do not like it so.', 0, 3)]).at(-1),
    ).toBe('so. -- not like');
  });

  it('lets a word be that should not be there', () => {
    const heard = 'i um like it';
    const steps = stepsOf([partial(heard, 0, 1), partial(heard, 0, 2), final('I like it.', 0, 3)]);
    expect(steps.at(-1)!.added.map(word => word.text)).toEqual(['it.']);
    expect([...steps.at(-1)!.wording.values()]).toEqual(['I', '', 'like', 'it.']);
  });

  it('goes on after shown words that a later partial has otherwise', () => {
    expect(
      story([
        partial('wreck a nice beach and', 0, 1),
        partial('wreck a nice beach and', 0, 2),
        partial('recognise speech and then', 0, 3),
        partial('recognise speech and then go', 0, 4),
        final('Recognise speech and then go.', 0, 5),
      ]),
    ).toEqual([
      '(wreck a nice beach and)',
      'wreck a nice beach (and)',
      'and (then)',
      'then (go)',
      'go. -- Recognise speech',
    ]);
  });

  it('waits where a partial has not come as far as what is shown', () => {
    expect(
      story([
        partial('one two three four', 0, 4),
        partial('one two three four', 0, 4.5),
        partial('one', 0, 5),
        partial('one two three four five six', 0, 6),
        partial('one two three four five six', 0, 7),
      ]),
    ).toEqual(['(one two three four)', 'one two three (four)', '', '(four five six)', 'four five (six)']);
  });

  it('marks another speaker, on the first word where nothing of it is shown', () => {
    const events = [final('Hello.', 0, 1, 0), final('Hi.', 1, 2, 1), final('How are you?', 2, 3, 1)];
    expect(story(events)).toEqual(['Hello.', '>> Hi.', 'How are you?']);
    expect(stepsOf(events).map(step => [...step.wording.values()].join(' '))).toEqual([
      'Hello.',
      '>> Hi.',
      'How are you?',
    ]);
  });

  it('marks another speaker in the wording where words of it are shown', () => {
    const heard = 'hi there you';
    const steps = stepsOf([
      final('Hello.', 0, 1, 0),
      partial(heard, 1, 1.5),
      partial(heard, 1, 1.6),
      final('Hi there, you.', 1, 2, 1),
    ]);
    expect([...steps.at(-1)!.wording.values()].join(' ')).toBe('>> Hi there, you.');
  });

  it('says nothing new for a message that comes twice', () => {
    const events = [partial('he was', 0, 1), final('He was.', 0, 2)];
    for (const [index, event] of events.entries()) {
      const before = stepsOf(events.slice(0, index + 1)).at(-1)!;
      const again = stabilize(before.state, structuredClone(event), TWO);
      expect(again.state).toBe(before.state);
      expect(again.added).toEqual([]);
      expect(again.tail).toEqual(before.tail);
    }
  });

  it('passes over a partial of what is final', () => {
    const [, over] = stepsOf([final('He was.', 0, 2), partial('he was', 0, 2)]);
    expect(over).toMatchObject({ added: [], tail: [] });
  });

  it('keeps shown words that lie beyond a final that cuts an utterance', () => {
    const heard = 'one two three four';
    const steps = stepsOf([
      partial(heard, 0, 4),
      partial(heard, 0, 4.2),
      final('One two', 0, 2),
      partial('three four five', 2, 5),
    ]);
    expect(steps[1]!.added.map(word => word.text)).toEqual(['one', 'two', 'three']);
    expect(steps[2]!.added).toEqual([]);
    expect([...steps[2]!.wording.keys()]).toEqual([0, 1]);
    expect(steps[3]!.tail).toEqual(['four', 'five']);
  });

  it('shows a late final apart from the utterance in progress', () => {
    const heard = 'three four five';
    const steps = stepsOf([
      partial(heard, 2, 4),
      partial(heard, 2, 5),
      final('One two.', 0, 2),
      final('Three four five.', 2, 5),
    ]);
    expect(steps.map(step => step.added.map(word => word.text).join(' '))).toEqual([
      '',
      'three four',
      'One two.',
      'five.',
    ]);
    expect(steps[2]!.tail).toEqual(['five']);
  });

  it('lets the words of an utterance without a final stand when a later one begins', () => {
    const steps = stepsOf([
      partial('one two', 0, 2),
      partial('one two', 0, 3),
      partial('six', 5, 6),
      partial('six', 5, 7),
    ]);
    expect([...steps[2]!.wording]).toEqual([[0, 'one']]);
    expect(steps.map(step => step.tail)).toEqual([['one', 'two'], ['two'], [], ['six']]);
  });
});

describe('stabilize, whatever comes', () => {
  const options = fc.record({
    agreePartials: fc.integer({ min: 1, max: 3 }),
    agreeMs: fc.constantFrom(0, 500, Number.POSITIVE_INFINITY),
    holdBackWords: fc.integer({ min: 0, max: 2 }),
    tailPartials: fc.integer({ min: 1, max: 3 }),
  });

  it('numbers shown words in order, and gives each its wording once it is final', () => {
    fc.assert(
      fc.property(eventSequence, options, (events, settings) => {
        const steps = stepsOf(events, settings);
        const ids = steps.flatMap(step => step.added.map(word => word.id));
        expect(ids).toEqual(ids.map((_, index) => index));
        const worded = steps.flatMap(step => [...step.wording.keys()]);
        const last = steps.at(-1)?.state;
        const open = [last, ...(last?.left ?? [])].flatMap(words => words?.shown.map(({ id }) => id) ?? []);
        expect([...new Set([...worded, ...open])].sort((a, b) => a - b)).toEqual(ids);
      }),
    );
  });

  it('never rewords what is final', () => {
    fc.assert(
      fc.property(eventSequence, options, (events, settings) => {
        const final = new Set<number>();
        for (const [index, { wording }] of stepsOf(events, settings).entries()) {
          expect([...wording.keys()].filter(id => final.has(id))).toEqual([]);
          if (events[index]!.type === 'final') for (const id of wording.keys()) final.add(id);
        }
      }),
    );
  });

  it('gives the words of every final, in the order they came', () => {
    fc.assert(
      fc.property(eventSequence, options, (events, settings) => {
        let state = initialStabilizerState;
        for (const event of events) {
          const step = stabilize(state, event, settings);
          if (event.type === 'final' && step.state !== state) {
            // Words that it does not have again stand as they are.
            const others = splitRepeated(state.left, spanOf(event)).others.flatMap(({ shown }) => shown);
            const words = [...step.wording]
              .filter(([id]) => others.every(word => word.id !== id))
              .sort(([a], [b]) => a - b)
              .flatMap(([, text]) => text.replace(/^>> /, '').split(' '));
            expect(words.filter(Boolean)).toEqual(tokensOf(event.elements).map(token => token.text));
          }
          state = step.state;
        }
      }),
    );
  });

  it('lets a tail only grow, or be cut back, until a final', () => {
    fc.assert(
      fc.property(eventSequence, options, (events, asked) => {
        // What needs no agreement may well be shown in the place of a wrong tail.
        const settings = { ...asked, agreePartials: asked.agreePartials + 1, agreeMs: asked.agreeMs + 1 };
        let before: string[] = [];
        for (const [index, { added, tail }] of stepsOf(events, settings).entries()) {
          const now = [...added.map(word => word.text), ...tail].map(wordKey);
          const same = commonPrefixLength(before, now);
          if (events[index]!.type !== 'final') expect(same).toBe(Math.min(before.length, now.length));
          before = tail.map(wordKey);
        }
      }),
    );
  });
});

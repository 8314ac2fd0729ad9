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

/** Returns the partials of an utterance, one each second, and its final. */
const spoken = (heard: readonly string[], said?: string) => [
  ...heard.map((text, index) => partial(text, 0, index + 1)),
  ...(said === undefined ? [] : [final(said, 0, heard.length + 1)]),
];

const WRECK = 'wreck a nice beach and';

describe('stabilize', () => {
  it.each<[title: string, heard: readonly string[], said: string | undefined, expected: readonly string[]]>([
    [
      'shows words on which partials agree, but the last',
      ['he', 'he was', 'he was not', 'he was not an'],
      undefined,
      ['(he)', 'he (was)', 'was (not)', 'not (an)'],
    ],
    [
      'waits for words before a word, however sure that one is',
      ['a dog ran', 'the dog ran', 'a dog ran'],
      undefined,
      ['(a dog ran)', '', '(a dog ran)'],
    ],
    [
      'cuts a tail back where it was wrong before it lets it grow again',
      ['it is a', 'it is the house', 'it is the house'],
      undefined,
      ['(it is a)', 'it is', 'the (house)'],
    ],
    [
      'shows the rest with the final, as the final writes it',
      ['he was not', 'he was not'],
      'He was not there.',
      ['(he was not)', 'he was (not)', 'not there.'],
    ],
    [
      'takes another way to write the same letters for no correction',
      ['ill disposed young man', 'ill disposed young man'],
      'Ill-disposed young man.',
      ['(ill disposed young man)', 'ill disposed young (man)', 'man.'],
    ],
    [
      'corrects the last shown words, after the word before them, and goes on',
      ['i have a bat it', 'i have a bat it'],
      'I have a dog sitting here.',
      ['(i have a bat it)', 'i have a bat (it)', '-- a dog sitting here.'],
    ],
    [
      'corrects no earlier word',
      ['i have a bat now so', 'i have a bat now so'],
      'I have no dog now so.',
      ['(i have a bat now so)', 'i have a bat now (so)', 'so.'],
    ],
    [
      'goes on after shown words that a later partial has otherwise',
      [WRECK, WRECK, 'recognise speech and then', 'recognise speech and then go'],
      'Recognise speech and then go.',
      [`(${WRECK})`, 'wreck a nice beach (and)', 'and (then)', 'then (go)', 'go.'],
    ],
  ])('%s', (_, heard, said, expected) => {
    expect(story(spoken(heard, said))).toEqual(expected);
  });

  it.each<[title: string, heard: readonly string[], options: StabilizerOptions, expected: readonly string[]]>(
    [
      [
        'holds back as many words as the option says',
        ['he was not', 'he was not', 'he was not an'],
        { holdBackWords: 2 },
        ['(he was not)', 'he (was not)', 'was (not an)'],
      ],
      [
        'holds back no word if the option says so',
        ['he was', 'he was'],
        { holdBackWords: 0 },
        ['(he was)', 'he was'],
      ],
      [
        'shows words on which partials agree for a time of audio',
        ['he was', 'he was', 'he was'],
        { agreePartials: 100, agreeMs: 1700 },
        ['(he was)', '(he was)', 'he (was)'],
      ],
      [
        'lets words into the tail on which partials agree',
        ['it is', 'it was a', 'it was no'],
        { agreePartials: 3, tailPartials: 2 },
        ['', '(it)', 'it (was)'],
      ],
    ],
  )('%s', (_, heard, options, expected) => {
    expect(story(spoken(heard), { ...TWO, ...options })).toEqual(expected);
  });

  it('never changes a shown word for its case or marks', () => {
    const steps = stepsOf(spoken(['well then i', 'well then i'], 'Well, then I'));
    expect(steps.flatMap(step => step.added.map(word => word.text))).toEqual(['well', 'then', 'I']);
    expect([...steps.at(-1)!.wording.values()]).toEqual(['Well,', 'then', 'I']);
  });

  it.each([
    ['a figure', 'he was there at ten', 'He was there at 10 o’clock.'],
    ['the words of a figure', 'it costs twenty one', 'It costs 21 dollars.'],
    ['case and marks', 'i like it mary', 'I like it, Mary.'],
    ['another spelling', 'what a nice color', 'What a nice colour it is.'],
    ['an ending', 'the tender churl make', 'The tender churl makes waste.'],
    ['a function word', 'we went in', 'We went on the bus.'],
    ['an abbreviation', 'she met mister', 'She met Mr. Bennet.'],
    ['a hesitation', 'we went well', 'We went um, there.'],
  ])('does not correct %s', (_, heard, said) => {
    const steps = stepsOf(spoken([heard, heard], said), { ...TWO, holdBackWords: 0 });
    expect(steps.flatMap(step => step.added.filter(word => word.corrects !== undefined))).toEqual([]);
  });

  it('corrects a word that became a negation', () => {
    const heard = 'we will go now but';
    expect(story(spoken([heard, heard], 'We will go now not.'), { ...TWO, holdBackWords: 0 })).toEqual([
      `(${heard})`,
      heard,
      '-- now not.',
    ]);
  });

  it('has the right word in the wording of a wrong one', () => {
    const heard = 'the bat sat on the';
    const steps = stepsOf(spoken([heard, heard], 'The cat sat on the mat.'));
    expect(steps.at(-1)!.added).toEqual([
      { id: 4, text: 'the', ts: 2 },
      { id: 5, text: 'mat.', ts: 2.5 },
    ]);
    expect([...steps.at(-1)!.wording]).toEqual([
      [0, 'The'],
      [1, 'cat'],
      [2, 'sat'],
      [3, 'on'],
      [4, 'the'],
      [5, 'mat.'],
    ]);
  });

  it('lets a word be that should not be there', () => {
    const steps = stepsOf(spoken(['i um like it', 'i um like it'], 'I like it.'));
    expect(steps.at(-1)!.added.map(word => word.text)).toEqual(['it.']);
    expect([...steps.at(-1)!.wording.values()]).toEqual(['I', '', 'like', 'it.']);
  });

  it('waits while a partial is shorter than the shown words', () => {
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

  it('ignores a partial of final text', () => {
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

  it('never rewords final text', () => {
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

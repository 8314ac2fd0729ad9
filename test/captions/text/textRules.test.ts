import fc from 'fast-check';
import { BehaviorSubject, from, lastValueFrom, Subject, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { captionSteps } from '../../../src/captions/captionSteps.ts';
import { captionDisplays } from '../../../src/captions/rows/captionDisplay.ts';
import {
  checkTextRules,
  type TextRules,
  textRules,
  withRules,
} from '../../../src/captions/text/textRules.ts';
import type { StabilizerOptions } from '../../../src/captions/words/agreement.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import type { LiveEvent } from '../../../src/transcript/model/events.ts';
import { type TextElement, type TranscriptElement, textOf } from '../../../src/transcript/model/model.ts';
import { elementsOfText, wordKey } from '../../../src/transcript/text/tokens.ts';
import { captionStory } from '../../helpers/captionStory.ts';
import { type SpokenStory, spokenStory } from '../../helpers/spokenStory.ts';
import { final, hole, partial, repair } from '../../helpers/transcriptEvents.ts';

async function ruledEvents(events: readonly LiveEvent[], rules: TextRules): Promise<readonly LiveEvent[]> {
  return lastValueFrom(from(events).pipe(textRules(rules), toArray()));
}

const elementsOf = (event: LiveEvent | undefined): readonly TranscriptElement[] =>
  event && 'elements' in event ? event.elements : [];

/** The text of a final after the rules. */
async function ruled(text: string, rules: TextRules): Promise<string> {
  const event: LiveEvent = { type: 'final', ts: 0, endTs: 4, elements: elementsOfText(text) };
  return textOf(elementsOf((await ruledEvents([event], rules))[0]));
}

const partialText = async (text: string, rules: TextRules) =>
  textOf(elementsOf((await ruledEvents([partial(text, 0, 4)], rules))[0]));

describe('textRules', () => {
  it('gives events the text of their new words', async () => {
    const event: LiveEvent = {
      type: 'final',
      ts: 0,
      endTs: 4,
      elements: elementsOfText('We lost it, damn.'),
    };
    const heard = { ...event, text: 'We lost it, damn.' };
    expect(await ruledEvents([heard], { ban: ['damn'] })).toMatchObject([{ text: 'We lost it.' }]);
  });

  it.each([
    ['We lost it, damn.', 'We lost it.'],
    ['Damn, we lost.', 'We lost.'],
    ['We lost. Damn, they won.', 'We lost. They won.'],
    ['We lost, damn, the game.', 'We lost, the game.'],
    ['We lost the damn game.', 'We lost the game.'],
    ['DAMN!', ''],
    ['He said "damn" twice.', 'He said twice.'],
    ['He said "damn fool".', 'He said "fool".'],
    ['A god-damn-fool thing.', 'A god-fool thing.'],
    ['A damn-fool thing.', 'A fool thing.'],
    ['A fool-damn thing.', 'A fool thing.'],
    ['The damned and Damn’s friends.', 'The damned and friends.'],
  ])('leaves a banned word out of %j', async (text, expected) => {
    expect(await ruled(text, { ban: ['damn'] })).toBe(expected);
  });

  it.each([
    ['Mr Dashwood went.', 'Mr Norland went.'],
    ["DASHWOOD'S house.", "Norland's house."],
    ['"Dashwood," he said.', '"Norland," he said.'],
    ['The Dashwood-Ferrars match.', 'The Norland-Ferrars match.'],
    ['The Dashwoods.', 'The Dashwoods.'],
  ])('replaces a word in %j', async (text, expected) => {
    expect(await ruled(text, { replace: [{ text: 'dashwood', by: 'Norland' }] })).toBe(expected);
  });

  it.each([
    ['An ill-disposed man.', 'An unkind man.'],
    ['ILL DISPOSED, he was.', 'Unkind, he was.'],
    ['He was ill. Disposed of.', 'He was unkind of.'],
  ])('replaces a phrase in %j, with and without a hyphen', async (text, expected) => {
    expect(await ruled(text, { replace: [{ text: 'ill-disposed', by: 'unkind' }] })).toBe(expected);
    expect(await ruled(text, { replace: [{ text: 'Ill disposed', by: 'unkind' }] })).toBe(expected);
  });

  it('matches words of other scripts, composed or not, and in those without spaces anywhere', async () => {
    expect(await ruled('Ein Cafe\u0301 in Köln.', { ban: ['CAFÉ'] })).toBe('Ein in Köln.');
    expect(await ruled('Добрый день, Анна.', { replace: [{ text: 'анна', by: 'Мария' }] })).toBe(
      'Добрый день, Мария.',
    );
    expect(await ruled('我们的麻薬商店。', { ban: ['麻薬'] })).toBe('我们的商店。');
    expect(await ruled('我们的麻薬。', { replace: [{ text: '麻薬', by: '花' }] })).toBe('我们的花。');
  });

  it('takes the longest phrase', async () => {
    const rules = { ban: ['new york'], replace: [{ text: 'new york city', by: 'the city' }] };
    expect(await ruled('In New York City and New York today.', rules)).toBe('In the city and today.');
  });

  it('keeps banned phrases out of replacements, and of words that become adjacent', async () => {
    const rules = { ban: ['damn', 'a b'], replace: [{ text: 'x', by: 'damn fool' }] };
    expect(await ruled('x a damn b c', rules)).toBe('fool c');
  });

  it('gives the words of a replacement the times of the replaced ones', async () => {
    const rules = { replace: [{ text: 'two three', by: 'zwei drei vier' }] };
    const [event] = await ruledEvents([final('One two three four.', 0, 4)], rules);
    const words = elementsOf(event).filter(({ type }) => type === 'text') as TextElement[];
    expect(words.map(({ value, ts, endTs }) => [value, ts, endTs])).toEqual([
      ['One', 0, 1],
      ['zwei', 1, expect.closeTo(1 + 8 / 12, 9)],
      ['drei', expect.closeTo(1 + 8 / 12, 9), expect.closeTo(1 + 16 / 12, 9)],
      ['vier', expect.closeTo(1 + 16 / 12, 9), 3],
      ['four', 3, 4],
    ]);
  });

  it('masks or drops profanity, but not that of a replacement', async () => {
    expect(await ruled('Bullshit, he said.', { profanity: 'mask' })).toBe('B******t, he said.');
    expect(await ruled('Bullshit, he said.', { profanity: 'drop' })).toBe('He said.');
    expect(await ruled('Bullshit, he said.', {})).toBe('Bullshit, he said.');
    expect(await ruled('Bullshit, "3d films" he said.', { profanity: 'drop' })).toBe('"3d films" he said.');
    const rules = { profanity: 'drop', replace: [{ text: 'nonsense', by: 'bullshit' }] } as const;
    expect(await ruled('Nonsense, he said.', rules)).toBe('Bullshit, he said.');
  });

  it('holds back the end of a partial that may begin a phrase', async () => {
    const rules = { ban: ['white house staff'], replace: [{ text: 'new york', by: 'NYC' }] };
    expect(await partialText('in the white', rules)).toBe('in the');
    expect(await partialText('in the white house', rules)).toBe('in the');
    expect(await partialText('in the white house was', rules)).toBe('in the white house was');
    expect(await partialText('in the white house staff of new york', rules)).toBe('in the of NYC');
    expect(await partialText('in new', rules)).toBe('in');
    expect(await ruled('In the white house.', rules)).toBe('In the white house.');
  });

  it('keeps a banned phrase out that is spread over two finals', async () => {
    const events = [final('The white', 0, 1), partial('house', 1, 2), final('House is red.', 1, 3)];
    const texts = (await ruledEvents(events, { ban: ['white house'] })).map(event =>
      textOf(elementsOf(event)),
    );
    expect(texts).toEqual(['The white', '', 'Is red.']);
  });

  it('applies to repairs, and leaves other events as they are', async () => {
    const gap = hole(0, 4);
    const [same, mended] = await ruledEvents([gap, repair(gap, final('A damn word.', 0, 3))], {
      ban: ['damn'],
    });
    expect(same).toBe(gap);
    expect(mended?.type === 'repair' && textOf(mended.monologues[0]!.elements)).toBe('A word.');
  });

  it('returns the same event where no rule applies', async () => {
    const events = [partial('well-known U.S. words', 0, 2), final('Well-known U.S. words.', 0, 2)];
    const all = await ruledEvents(events, { ban: ['other'] });
    expect(all[0]).toBe(events[0]);
    expect(all[1]).toBe(events[1]);
  });

  it('applies changed rules to later events, and gives a final that comes again as before', () => {
    const rules$ = new BehaviorSubject<TextRules>({});
    const events$ = new Subject<LiveEvent>();
    const texts: string[] = [];
    events$.pipe(textRules(rules$)).subscribe(event => texts.push(textOf(elementsOf(event))));
    events$.next(final('Damn it.', 0, 1));
    rules$.next(withRules(rules$.value, { ban: ['damn'] }));
    events$.next(final('Damn it.', 0, 1));
    events$.next(final('Damn it.', 1, 2));
    rules$.next(withRules(rules$.value, { replace: [{ text: 'Damn', by: 'darn' }] }));
    events$.next(final('Damn it.', 2, 3));
    expect(texts).toEqual(['Damn it.', 'Damn it.', 'It.', 'Darn it.']);
  });

  it.each([
    [{ ban: ['--'] }, "Text rule '--' has no word"],
    [{ ban: ['a', 'A!'] }, "There are two text rules for 'A!'"],
    [{ ban: ['a'], replace: [{ text: 'a', by: 'b' }] }, "There are two text rules for 'a'"],
    [{ replace: [{ text: 'a', by: ' ' }] }, "Text rule 'a' has an empty replacement"],
    [{ ban: ['a '.repeat(21)] }, 'has 21 words: at most 20'],
  ] as const)('refuses %j', (rules, message) => {
    expect(() => checkTextRules(rules)).toThrow(message);
  });
});

it('refuses more rules than can be searched quickly', () => {
  const ban = Array.from({ length: 10_001 }, (_, index) => `w${index}`);
  expect(() => checkTextRules({ ban })).toThrow('There are 10001 text rules');
});

/** Rules for phrases of a story, each within an utterance: the end of one may be known after the start of the next. */
const rulesFor = ({ words }: SpokenStory, max: number): fc.Arbitrary<TextRules> => {
  if (words.length === 0) return fc.constant({});
  const phrase = fc
    .tuple(fc.nat({ max: words.length - 1 }), fc.integer({ min: 1, max }))
    .map(([at, count]) => {
      const [utterance] = words[at]!.split('w');
      const near = words.slice(at, at + count);
      return near.filter(word => word.startsWith(`${utterance}w`)).join(' ');
    });
  return fc
    .tuple(fc.array(phrase, { maxLength: 4 }), fc.array(phrase, { maxLength: 4 }))
    .map(([banned, replaced]) => {
      const rules = banned.reduce<TextRules>((all, text) => withRules(all, { ban: [text] }), {});
      return replaced.reduce(
        (all, text, index) =>
          (all.ban ?? []).includes(text)
            ? all
            : withRules(all, { replace: [{ text, by: index % 2 ? `r${index} s${index}` : `r${index}` }] }),
        rules,
      );
    });
};

const ruledStory = (options: Parameters<typeof spokenStory>[0], maxWords: number) =>
  spokenStory(options).chain(story => fc.tuple(fc.constant(story), rulesFor(story, maxWords)));

/** Each word is shown as soon as it is heard. */
const AT_ONCE: StabilizerOptions = { agreePartials: 1, holdBackWords: 0 };

async function shownWords(events: readonly LiveEvent[], rules: TextRules, options = AT_ONCE) {
  const steps$ = from(events).pipe(
    textRules(rules),
    captionSteps({ ...options, clock: new VirtualClock() }),
    toArray(),
  );
  return (await lastValueFrom(steps$)).flatMap(step => (step.type === 'words' ? step.added : []));
}

describe('whatever is said and ruled', () => {
  it('nothing banned is shown, and shown rows never change', async () => {
    const property = async ([{ events }, rules]: [SpokenStory, TextRules]) => {
      const displays$ = from(events).pipe(
        textRules(rules),
        captionSteps({ ...AT_ONCE, clock: new VirtualClock() }),
        captionDisplays({ columns: 400, rows: 3 }),
        toArray(),
      );
      const displays = await lastValueFrom(displays$);
      for (const { rows, tail, settled } of displays) {
        for (const text of [[...rows.slice(-1), tail].join(' '), ...rows, ...settled]) {
          const keys = ` ${text.split(' ').map(wordKey).join(' ')} `;
          const found = (rules.ban ?? []).filter(banned => keys.includes(` ${banned} `));
          expect(found).toEqual([]);
        }
      }
    };
    await fc.assert(fc.asyncProperty(ruledStory({ channels: 1 }, 3), property), { numRuns: 200 });
  });

  // A final may end within a phrase that its partials had.
  it('no correction comes from rules for words', async () => {
    const property = async ([{ events }, rules]: [SpokenStory, TextRules]) => {
      const corrections = (await shownWords(events, rules)).filter(word => word.corrects !== undefined);
      expect(corrections).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(ruledStory({ channels: 2, mayBeWrong: false }, 1), property), {
      numRuns: 200,
    });
  });

  it('and none for the story, whose partials have no capitals and hyphens', async () => {
    const rules: TextRules = {
      ban: ['cold hearted', 'prudently', 'he was'],
      replace: [
        { text: 'young man', by: 'gentleman' },
        { text: 'ill disposed', by: 'unkind' },
        { text: 'might have', by: 'would have' },
      ],
    };
    const shown = await shownWords(captionStory(), rules, {});
    const plain = await shownWords(captionStory(), {}, {});
    const corrected = (words: typeof shown) =>
      words.filter(word => word.corrects !== undefined).map(word => word.text);
    expect(corrected(shown)).toEqual(corrected(plain));
    expect(shown.map(({ text }) => text).join(' ')).toMatch(/ a more amiable woman .*would have been/);
    expect(shown.map(({ text }) => wordKey(text))).not.toContain('prudently');
  });
});

import fc from 'fast-check';
import type { Monologue, Transcript, TranscriptElement } from '../../src/transcript/model/model.ts';
import { elementsOfText } from '../../src/transcript/text/tokens.ts';

/** Any elements, also ones that no service should send. */
export const elements: fc.Arbitrary<TranscriptElement[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('text' as const), value: fc.string({ unit: 'grapheme', maxLength: 8 }) }),
    fc.record({
      type: fc.constant('punct' as const),
      value: fc.constantFrom(' ', '.', ', ', '-', '"', '\n', ''),
    }),
    fc.record({ type: fc.constant('unknown' as const), value: fc.constant('<inaudible>') }),
  ),
);

const word = fc.constantFrom(
  ...[
    'a',
    'the',
    'Mr.',
    'dog',
    'and',
    'of',
    'extraordinary',
    'Well,',
    'no.',
    'e.g.',
    '12',
    'pounds',
    "don't",
  ],
  ...[
    '\u4f60\u597d',
    'na\u00efve',
    'cold-hearted',
    'internationalisation-of-everything-and-more-than-that',
    '<inaudible>',
  ],
);

/** Sentences of ordinary and awkward words. */
export const sentence = fc.array(word, { minLength: 1, maxLength: 30 }).map(words => words.join(' '));

/** Durations of words, and of the silence after them. Some words have no times. */
const pace = fc.array(
  fc.record({
    seconds: fc.integer({ min: 0, max: 12 }),
    silence: fc.integer({ min: 0, max: 40 }),
    timed: fc.boolean(),
  }),
  { minLength: 1, maxLength: 20 },
);

/** A transcript with times in order, some words without. */
export const transcript: fc.Arbitrary<Transcript> = fc
  .tuple(fc.array(fc.tuple(fc.nat({ max: 2 }), sentence), { maxLength: 6 }), pace)
  .map(([turns, paces]) => {
    let at = 0;
    let index = 0;
    const timed = (element: TranscriptElement): TranscriptElement => {
      if (element.type !== 'text') return element;
      const { seconds, silence, timed } = paces[index++ % paces.length]!;
      const ts = at;
      const endTs = at + seconds / 8;
      at = endTs + silence / 8;
      return timed ? { ...element, ts, endTs } : element;
    };
    const monologues: Monologue[] = [];
    for (const [speaker, text] of turns) {
      if (monologues.at(-1)?.speaker === speaker) continue;
      monologues.push({ speaker, elements: elementsOfText(text).map(timed) });
    }
    return { monologues };
  });

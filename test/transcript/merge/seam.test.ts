import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dropRepeated } from '../../../src/transcript/merge/seam.ts';
import type { FinalEvent } from '../../../src/transcript/model/events.ts';
import { type TextElement, type TranscriptElement, textOf } from '../../../src/transcript/model/model.ts';
import { final } from '../../helpers/transcriptEvents.ts';

const space = { type: 'punct', value: ' ' } as const;
const word = (value: string, ts: number, endTs: number): TextElement => ({ type: 'text', value, ts, endTs });
const finalOf = (...words: readonly TextElement[]): FinalEvent => ({
  type: 'final',
  ts: words[0]!.ts!,
  endTs: words.at(-1)!.endTs!,
  elements: spaced(words),
});
const spaced = (words: readonly TranscriptElement[]) =>
  words.flatMap((element, index) => (index === 0 ? [element] : [space, element]));

describe('dropRepeated', () => {
  const before = final('The quick brown fox,', 1, 5).elements;

  it('leaves a final alone that goes on where the one before ended', () => {
    const next = final('jumps over', 5, 7);
    expect(dropRepeated(next, before, 5)).toBe(next);
  });

  it('drops words that say the same at the same time, whatever their case and marks', () => {
    const next = final('Brown fox. Jumps over', 3.1, 7.1);
    expect(dropRepeated(next, before, 5)).toEqual({
      ...next,
      ts: 5,
      elements: next.elements.slice(-3),
    });
  });

  it('drops, with a repeated word, the fragment of the word before it', () => {
    const next = finalOf(
      word('wick', 2.6, 3),
      word('brown', 3, 4),
      word('fox', 4, 5.02),
      word('jumps', 5.1, 6),
    );
    expect(textOf(dropRepeated(next, before, 5)!.elements)).toBe('jumps');
  });

  it('gives nothing when nothing is left', () => {
    expect(dropRepeated(final('brown fox.', 3, 5), before, 5)).toBeUndefined();
  });

  it('keeps a word that was said twice', () => {
    const said = [word('no', 4.5, 4.75)];
    const again = finalOf(word('no', 4.75, 5), word('more', 5, 5.4));
    expect(dropRepeated(again, said, 4.75)).toBe(again);
  });

  it('keeps a word that was said twice where both were heard before', () => {
    const said = spaced([word('oh', 4, 4.2), word('no', 4.5, 4.7), word('no', 4.75, 5)]);
    const next = finalOf(word('no', 4.55, 4.75), word('no', 4.8, 5.05), word('no', 5.1, 5.3));
    expect(textOf(dropRepeated(next, said, 5.05)!.elements)).toBe('no');
    expect(dropRepeated(next, said, 5.05)!.elements).toEqual([word('no', 5.1, 5.3)]);
  });

  it('drops a repeated word that extends beyond the final text', () => {
    const next = finalOf(word('fox', 5, 5.1), word('jumps', 5.2, 6));
    expect(textOf(dropRepeated(next, [word('fox', 4.6, 5.1)], 5)!.elements)).toBe('jumps');
  });

  it.each([5.05, 5.1, 5.2])('drops what is left until %d of a word that was said to end before', endTs => {
    const said = spaced([word('the', 4.3, 4.5), word('price', 4.6, 5)]);
    const next = finalOf(word('price', 5, endTs), word('was', 5.3, 5.5));
    expect(textOf(dropRepeated(next, said, 5)!.elements)).toBe('was');
  });

  it.each([
    ['as long as the first time', word('price', 5, 5.3)],
    ['after a pause', word('price', 5.05, 5.2)],
  ])('keeps a word that is said again, %s', (_, again) => {
    const next = finalOf(again, word('was', 5.4, 5.6));
    expect(dropRepeated(next, [word('price', 4.6, 5)], 5)).toBe(next);
  });

  it('compares no words without times', () => {
    const plain: FinalEvent = { type: 'final', ts: 4, endTs: 6, elements: [{ type: 'text', value: 'fox' }] };
    expect(dropRepeated(plain, before, 5)).toBe(plain);
  });

  it('keeps the final a span of time when what is left has no times', () => {
    const next: FinalEvent = {
      ...final('brown fox', 3, 5),
      elements: [...final('brown fox', 3, 5).elements, space, { type: 'unknown', value: '<inaudible>' }],
    };
    const rest = dropRepeated(next, before, 6)!;
    expect(textOf(rest.elements)).toBe('[inaudible]');
    expect(rest.ts).toBeLessThan(rest.endTs);
  });
});

describe('dropRepeated, wherever a session takes over', () => {
  /** Nobody says a word again at once and in half of the time. */
  const isRest = (last: TextElement, next: TextElement) =>
    next.value.toLowerCase() === last.value.toLowerCase() &&
    (next.endTs! - next.ts!) * 2 < last.endTs! - last.ts! + 0.01;
  /** Words of few spellings, with and without pauses between. */
  const speech = fc
    .array(
      fc.record({
        value: fc.constantFrom('no', 'oh', 'dog', 'Dog'),
        length: fc.integer({ min: 15, max: 60 }),
        pause: fc.constantFrom(0, 0, 5, 40),
      }),
      { minLength: 2, maxLength: 20 },
    )
    .map(words => {
      let at = 0;
      return words.map(({ value, length, pause }) => {
        const ts = at + pause;
        at = ts + length;
        return word(value, ts / 100, at / 100);
      });
    });

  it('has every word once when the session repeats some of what is final', () => {
    fc.assert(
      fc.property(
        speech,
        fc.nat(),
        fc.nat({ max: 5 }),
        fc.integer({ min: -5, max: 5 }),
        (words, at, back, shift) => {
          const cut = 1 + (at % (words.length - 1));
          const before = words.slice(0, cut);
          fc.pre(back > 0 || !isRest(before.at(-1)!, words[cut]!));
          // The words are moved by less than half of the shortest word.
          const heard = words
            .slice(Math.max(0, cut - back))
            .map(({ value, ts, endTs }) =>
              word(value.toUpperCase(), ts! + shift / 100, endTs! + shift / 100),
            );
          const rest = dropRepeated(finalOf(...heard), spaced(before), before.at(-1)!.endTs!);
          const texts = rest!.elements
            .filter(({ type }) => type === 'text')
            .map(({ value }) => value.toLowerCase());
          expect(texts).toEqual(words.slice(cut).map(({ value }) => value.toLowerCase()));
          expect(rest!.ts).toBeLessThan(rest!.endTs);
        },
      ),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFavour, PHRASE_BONUS } from '../../../src/engines/moonshine/phraseTrie.ts';
import { encodeText } from '../../../src/engines/moonshine/tokens.ts';

const word = fc.stringMatching(/^[A-Za-z]{1,10}$/);
const phrase = fc.array(word, { minLength: 1, maxLength: 4 }).map(words => words.join(' '));
const phrases = fc.array(phrase, { minLength: 1, maxLength: 5 });
const words = fc.array(word, { maxLength: 6 }).map(said => encodeText(said.join(' ')));

/** Bonus of a token after `count` tokens of its phrase. */
const nextBonus = (count: number) => PHRASE_BONUS.next * (1 + Math.log(count + 1));
/** Least bonus of a token that continues a phrase, which is more than that of any first token. */
const LEAST_NEXT = nextBonus(1);

/** Tokens that continue a phrase. */
function continuing(favour: ReadonlyMap<number, number>): readonly number[] {
  return [...favour].filter(([, value]) => value >= LEAST_NEXT).map(([token]) => token);
}

/** Lists the ways in which the model may write a phrase of letters. */
const formsOf = (text: string) => [text, text[0]!.toUpperCase() + text.slice(1), text.toLowerCase()];

describe('favoured phrases', () => {
  it('continue with each token of each form, wherever they begin', () => {
    fc.assert(
      fc.property(phrases, words, (list, before) => {
        const favour = createFavour(list);
        for (const form of list.flatMap(formsOf)) {
          const tokens = encodeText(form);
          expect(favour(before).get(tokens[0]!)).toBeGreaterThanOrEqual(PHRASE_BONUS.first);
          for (const [index, token] of tokens.entries()) {
            if (index > 0)
              expect(favour([...before, ...tokens.slice(0, index)]).get(token)).toBeGreaterThanOrEqual(
                nextBonus(index),
              );
          }
        }
      }),
    );
  });

  it('favour only tokens that begin or continue one', () => {
    fc.assert(
      fc.property(phrases, words, (list, said) => {
        const forms = list.flatMap(formsOf).map(encodeText);
        const openings = new Set(forms.map(([first]) => first));
        const found = createFavour(list)(said);
        // A form goes on where the last tokens are its beginning.
        const nexts = forms.flatMap(form =>
          form.slice(1).filter((_, index) => {
            const begun = form.slice(0, index + 1);
            return begun.every((token, at) => said[said.length - begun.length + at] === token);
          }),
        );
        expect(new Set(continuing(found))).toEqual(new Set(nexts));
        expect(new Set(found.keys())).toEqual(new Set([...openings, ...nexts]));
      }),
    );
  });

  it('begin only with words', () => {
    const favour = createFavour(['disposed']);
    // "in|disposed" is one word: nothing of the phrase has been said.
    const inside = encodeText('disposed').slice(1);
    const opening = favour([]);
    expect(favour(inside)).toEqual(opening);
  });

  it('are followed from the middle of another one', () => {
    const favour = createFavour(['New York Times', 'York City']);
    const [times, city] = ['New York Times', 'York City'].map(text => encodeText(text));
    const found = favour(encodeText('the New York'));
    const york = encodeText('New York').length;
    expect(found.get(times![york]!)).toBe(nextBonus(york));
    expect(found.get(city![encodeText('York').length]!)).toBe(nextBonus(encodeText('York').length));
  });

  it('have a form without hyphens', () => {
    const favour = createFavour(['Ill-Disposed']);
    for (const form of ['Ill-Disposed', 'ill-disposed', 'ill disposed', 'Ill Disposed']) {
      const tokens = encodeText(form);
      for (let index = 1; index < tokens.length; index++)
        expect(favour(tokens.slice(0, index)).get(tokens[index]!)).toBe(nextBonus(index));
    }
  });

  it('ignore white space around and between words', () => {
    const tokens = encodeText('Okonkwo Street');
    expect(createFavour(['  Okonkwo \t Street '])(tokens.slice(0, 2))).toEqual(
      createFavour(['Okonkwo Street'])(tokens.slice(0, 2)),
    );
  });

  it('favour nothing when there are none', () => {
    expect(createFavour([])(encodeText('some words')).size).toBe(0);
    expect(createFavour(['', ' '])(encodeText('some words')).size).toBe(0);
  });
});

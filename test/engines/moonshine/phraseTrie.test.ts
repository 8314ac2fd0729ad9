import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFavour, PHRASE_BONUS } from '../../../src/engines/moonshine/phraseTrie.ts';
import { encodeText } from '../../../src/engines/moonshine/tokens.ts';

const word = fc.stringMatching(/^[A-Za-z]{1,10}$/);
const phrase = fc.array(word, { minLength: 1, maxLength: 4 }).map(words => words.join(' '));
const phrases = fc.array(phrase, { minLength: 1, maxLength: 5 });
const words = fc.array(word, { maxLength: 6 }).map(said => encodeText(said.join(' ')));

/** Tokens of a favour by how much they are favoured. */
function favoured(favour: ReadonlyMap<number, number>, bonus: number): readonly number[] {
  return [...favour].filter(([, value]) => value === bonus).map(([token]) => token);
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
              expect(favour([...before, ...tokens.slice(0, index)]).get(token)).toBe(PHRASE_BONUS.next);
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
        expect(new Set(favoured(found, PHRASE_BONUS.next))).toEqual(new Set(nexts));
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
    expect(found.get(times![york]!)).toBe(PHRASE_BONUS.next);
    expect(found.get(city![encodeText('York').length]!)).toBe(PHRASE_BONUS.next);
  });

  it('have a form without hyphens', () => {
    const favour = createFavour(['Ill-Disposed']);
    for (const form of ['Ill-Disposed', 'ill-disposed', 'ill disposed', 'Ill Disposed']) {
      const tokens = encodeText(form);
      for (let index = 1; index < tokens.length; index++)
        expect(favour(tokens.slice(0, index)).get(tokens[index]!)).toBe(PHRASE_BONUS.next);
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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digitWords, numberWords, ordinalWords } from '../../../src/engines/phrases/numberWords.ts';

describe('numbers in words', () => {
  it.each([
    ['0', 'zero'],
    ['7', 'seven'],
    ['17', 'seventeen'],
    ['40', 'forty'],
    ['99', 'ninety nine'],
    ['100', 'one hundred'],
    ['747', 'seven hundred forty seven'],
    ['1900', 'nineteen hundred'],
    ['1905', 'nineteen oh five'],
    ['1984', 'nineteen eighty four'],
    ['2000', 'two thousand'],
    ['2008', 'two thousand eight'],
    ['2024', 'twenty twenty four'],
    ['12000', 'twelve thousand'],
    ['365003', 'three hundred sixty five thousand three'],
    ['1234567', 'one two three four five six seven'],
    ['007', 'zero zero seven'],
  ])('reads %s as "%s"', (digits, words) => {
    expect(numberWords(digits).join(' ')).toBe(words);
  });

  it.each([
    ['1', 'first'],
    ['2', 'second'],
    ['3', 'third'],
    ['12', 'twelfth'],
    ['20', 'twentieth'],
    ['21', 'twenty first'],
    ['100', 'one hundredth'],
    ['1000', 'one thousandth'],
  ])('reads the ordinal of %s as "%s"', (digits, words) => {
    expect(ordinalWords(digits).join(' ')).toBe(words);
  });

  it('reads digits one by one', () => {
    expect(digitWords('205')).toEqual(['two', 'zero', 'five']);
  });

  it('has words of letters for all digits', () => {
    const digits = fc.stringMatching(/^\d{1,40}$/);
    fc.assert(
      fc.property(digits, text => {
        for (const word of numberWords(text)) expect(word).toMatch(/^[a-z]+$/);
      }),
    );
  });
});

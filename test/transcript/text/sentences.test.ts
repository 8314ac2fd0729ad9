import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sentencesOf } from '../../../src/transcript/text/sentences.ts';
import { sentence } from '../../helpers/transcriptArbitraries.ts';

const texts = (text: string) => [...sentencesOf(text)].map(({ text }) => text);

describe('sentences', () => {
  test.for([
    ['It is so. Is it? "Yes!" He nods.', ['It is so.', 'Is it?', '"Yes!"', 'He nods.']],
    [' \n  One.\t Two. \n', ['One.', 'Two.']],
    ['Mr. Bennet met Mrs. Long. St. James is near.', ['Mr. Bennet met Mrs. Long.', 'St. James is near.']],
    [
      'J. R. Smith came (Dr. Grant did not). So did I. We left.',
      ['J. R. Smith came (Dr. Grant did not).', 'So did I.', 'We left.'],
    ],
    ['It was 5 p.m. and dark.', ['It was 5 p.m. and dark.']],
    ['Without an end', ['Without an end']],
    ['A title\nand a line\n\nAnother.', ['A title', 'and a line', 'Another.']],
    ['A line ends with Mr.\nAnother begins.', ['A line ends with Mr.', 'Another begins.']],
    ['', []],
    [' \n\t ', []],
    ['Ends with Dr. ', ['Ends with Dr.']],
  ] as const)('of %j', ([text, expected]) => {
    expect(texts(text)).toEqual(expected);
  });

  test('stand where they say, in order, and nothing but white space is between them', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(sentence, { maxLength: 5 }).map(list => list.join('. ')),
    );
    fc.assert(
      fc.property(anything, text => {
        let reached = 0;
        for (const { text: found, offset } of sentencesOf(text)) {
          expect(found).not.toBe('');
          expect(text.slice(offset, offset + found.length)).toBe(found);
          expect(text.slice(reached, offset).trim()).toBe('');
          reached = offset + found.length;
        }
        expect(text.slice(reached).trim()).toBe('');
      }),
    );
  });

  test('that are too long are cut at white space, in time that grows with the text only', () => {
    const long = `Short. So ${'it so went on '.repeat(10_000)}till it ended. Again.`;
    const found = [...sentencesOf(long)];
    expect(found.map(({ text }) => text).join(' ')).toBe(long);
    expect(found.length).toBe(2 + Math.ceil(140_017 / 16_384));
    for (const { text, offset } of found) expect(long.slice(offset, offset + text.length)).toBe(text);
    expect(found.at(-1)).toEqual({ text: 'Again.', offset: long.length - 6 });
    expect(texts('x'.repeat(2_000_000)).join('').length).toBe(2_000_000);
    expect(texts(`${' '.repeat(2_000_000)}\ny`)).toEqual(['y']);
  });

  test('that are cut within a word never have half a character', () => {
    const characters = [...texts(`a${'\u{1f600}'.repeat(20_000)}`).join('|')];
    expect(
      characters.filter(character => /[\ud800-\udfff]/.test(character) && character.length === 1),
    ).toEqual([]);
    expect(characters.filter(character => character === '|').length).toBe(2);
  });

  test('are the same wherever the text is read piece by piece', () => {
    const text = Array.from({ length: 5000 }, (_, index) => `Mr. ${index} came, saw and went. So?`);
    expect(texts(text.join(' '))).toEqual(text.flatMap(two => [two.slice(0, -4), 'So?']));
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sentencesOf } from '../../src/transcript/sentences.ts';
import { sentence } from '../helpers/transcriptArbitraries.ts';

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
});

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type TranscriptElement, textOf } from '../../../src/transcript/model/model.ts';
import {
  elementsOfText,
  tokensOf,
  wordKey,
  wordsOf,
  wordTokensOf,
} from '../../../src/transcript/text/tokens.ts';
import { elements } from '../../helpers/transcriptArbitraries.ts';

const plain = (text: string) =>
  text
    .replace(/\p{Cc}/gu, ' ')
    .split(/\s+/u)
    .filter(Boolean)
    .join(' ');
const texts = (elements: readonly TranscriptElement[]) => tokensOf(elements).map(token => token.text);

describe('tokensOf', () => {
  it('keeps marks with their words, and the times of the word', () => {
    expect(
      tokensOf([
        { type: 'punct', value: '"' },
        { type: 'text', value: 'Well', ts: 1, endTs: 1.5 },
        { type: 'punct', value: ', ' },
        { type: 'text', value: 'yes', ts: 2, endTs: 2.5 },
        { type: 'punct', value: '."' },
      ]),
    ).toEqual([
      { text: '"Well,', ts: 1, endTs: 1.5 },
      { text: 'yes."', ts: 2, endTs: 2.5 },
    ]);
  });

  it('joins elements without a space between them', () => {
    expect(
      tokensOf([
        { type: 'text', value: 'ill', ts: 1, endTs: 2 },
        { type: 'punct', value: '-' },
        { type: 'text', value: 'disposed', ts: 2, endTs: 3 },
      ]),
    ).toEqual([{ text: 'ill-disposed', ts: 1, endTs: 3 }]);
  });

  it('shares the time of an element among the words in it, by length', () => {
    expect(tokensOf([{ type: 'text', value: 'a bcd', ts: 1, endTs: 3 }])).toEqual([
      { text: 'a', ts: 1, endTs: 1.5 },
      { text: 'bcd', ts: 1.5, endTs: 3 },
    ]);
  });

  it('parts words without punctuation between', () => {
    expect(
      texts([
        { type: 'text', value: 'a' },
        { type: 'unknown', value: '<inaudible>' },
      ]),
    ).toEqual(['a', '[inaudible]']);
  });

  it('gives nothing that a terminal would obey', () => {
    expect(texts([{ type: 'text', value: 'a\u001b[2Jb\u0000' }])).toEqual(['a', '[2Jb']);
  });

  it('joins to the text of the elements', () => {
    fc.assert(
      fc.property(elements, list => {
        expect(texts(list).join(' ')).toBe(plain(textOf(list)));
      }),
    );
  });
});

describe('elementsOfText', () => {
  it('parts words, marks and spaces', () => {
    expect(elementsOfText('"Well, <inaudible> 5% -- don\u2019t."')).toEqual([
      { type: 'punct', value: '"' },
      { type: 'text', value: 'Well' },
      { type: 'punct', value: ',' },
      { type: 'punct', value: ' ' },
      { type: 'unknown', value: '<inaudible>' },
      { type: 'punct', value: ' ' },
      { type: 'text', value: '5%' },
      { type: 'punct', value: ' ' },
      { type: 'punct', value: '--' },
      { type: 'punct', value: ' ' },
      { type: 'text', value: 'don\u2019t' },
      { type: 'punct', value: '."' },
    ]);
  });

  it('reads inaudible speech as it is shown', () => {
    const inaudible = { type: 'unknown', value: '<inaudible>' };
    expect(elementsOfText('[inaudible]')).toEqual([inaudible]);
    expect(wordTokensOf(elementsOfText('an [inaudible] man')).map(({ text }) => text)).toEqual(['an', 'man']);
  });

  it('keeps every character but the extent of white space', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const shown = plain(text).replace(/(?<=^| )<([^<>\s]+)>(?= |$)/gu, '[$1]');
        expect(textOf(elementsOfText(text))).toBe(shown);
      }),
    );
  });
});

describe('wordKey', () => {
  it.each([
    ['Hello,', 'hello'],
    ['"Don\u2019t!"', "don't"],
    ['5%', '5%'],
    ['$5.', '$5'],
    ['--', '--'],
    ['\u00c9t\u00e9', 'été'],
  ])('takes %s for %s', (text, key) => {
    expect(wordKey(text)).toBe(key);
  });
});

// A pattern that starts over at each mark would take minutes.
it('words are found in one pass, also among many marks', () => {
  const text = `a${'.'.repeat(300_000)}b!`;
  expect(wordKey(text)).toBe(text.slice(0, -1));
  expect(elementsOfText(text)).toEqual([
    { type: 'text', value: text.slice(0, -1) },
    { type: 'punct', value: '!' },
  ]);
});

test('words of a text are without case, punctuation and the shape of apostrophes', () => {
  expect(wordsOf('Don’t "stop" — it’s 10 o\'clock!')).toEqual(["don't", 'stop', "it's", '10', "o'clock"]);
});

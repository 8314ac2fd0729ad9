import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TranscriptElement, textOf } from '../../../src/transcript/model/model.ts';
import { elementsOfText } from '../../../src/transcript/text/tokens.ts';
import { joinPieces, wordPieces } from '../../../src/transcript/text/wordPieces.ts';
import { elements, sentence } from '../../helpers/transcriptArbitraries.ts';

const texts = (pieces: ReturnType<typeof wordPieces>) => pieces.map(piece => textOf(piece.elements));
const isSpace = ({ type, value }: TranscriptElement) => type === 'punct' && value.trim() === '';

describe('wordPieces', () => {
  it('keeps marks with their word', () => {
    const pieces = wordPieces(elementsOfText('Well, "yes," she said - "no?"'));
    expect(texts(pieces)).toEqual(['Well,', '"yes,"', 'she', 'said', '- "no?"']);
  });

  it('leaves no mark behind where words are taken out', () => {
    const pieces = wordPieces(elementsOfText('Well, yes, she said.'));
    expect(textOf(joinPieces([pieces[1]!, pieces[3]!]))).toBe('yes, said.');
    expect(textOf(joinPieces(pieces.slice(2)))).toBe('she said.');
  });

  it('cuts words without spaces between', () => {
    const word = (value: string): TranscriptElement => ({ type: 'text', value });
    expect(texts(wordPieces([word('a'), word('b')]))).toEqual(['a', 'b']);
  });

  it('gives nothing for marks alone', () => {
    expect(wordPieces([{ type: 'punct', value: '.' }])).toEqual([]);
  });

  it('joins to the same elements, without the space around them', () => {
    fc.assert(
      fc.property(fc.oneof(elements, sentence.map(elementsOfText)), all => {
        if (!all.some(({ type }) => type !== 'punct')) return;
        const first = all.findIndex(element => !isSpace(element));
        const last = all.findLastIndex(element => !isSpace(element));
        expect(joinPieces(wordPieces(all))).toEqual(all.slice(first, last + 1));
      }),
    );
  });

  it('has one word in each piece', () => {
    fc.assert(
      fc.property(elements, all => {
        const words = all.filter(({ type }) => type !== 'punct');
        expect(wordPieces(all).map(piece => piece.elements.filter(({ type }) => type !== 'punct'))).toEqual(
          words.map(word => [word]),
        );
      }),
    );
  });
});

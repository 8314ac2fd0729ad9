import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutToWidth, textWidth, wrapWords } from '../../../src/transcript/text/textWidth.ts';

const words = fc
  .array(fc.constantFrom('a', 'word', 'sentence', '\u4f60\u597d', 'e\u0301', '\u{1F469}\u200D\u{1F4BB}'), {
    minLength: 1,
  })
  .map(list => list.join(' '));
const columns = fc.integer({ min: 2, max: 20 });

describe('textWidth', () => {
  it.each([
    ['word', 4],
    ['\u4f60\u597d', 4],
    ['e\u0301', 1],
    ['\u{1F469}\u200D\u{1F4BB}', 2],
    ['', 0],
  ])('takes %j for %i columns', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });
});

describe('cutToWidth', () => {
  it('cuts between characters only, and loses none', () => {
    fc.assert(
      fc.property(words, columns, (text, columns) => {
        const pieces = cutToWidth(text, columns);
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces) {
          expect(textWidth(piece)).toBeLessThanOrEqual(columns);
          expect(piece).not.toMatch(/^[\u0301\u200D]/u);
        }
      }),
    );
  });

  it('lets a character stand alone that is wider than all there is', () => {
    expect(cutToWidth('\u4f60\u597d', 1)).toEqual(['\u4f60', '\u597d']);
  });
});

describe('wrapWords', () => {
  it('fills lines with whole words', () => {
    expect(wrapWords('one two three four', 9)).toEqual(['one two', 'three', 'four']);
  });

  it('keeps all text within the columns', () => {
    fc.assert(
      fc.property(words, columns, (text, columns) => {
        const lines = wrapWords(text, columns);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

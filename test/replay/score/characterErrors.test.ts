import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { characterErrors } from '../../../src/replay/score/scoreTranscript.ts';
import { plainCost } from '../align/plainAlignment.ts';

const word = fc.array(fc.constantFrom('a', 'b', 'é', 'e\u0301', '👨‍👩‍👧', '𝒳', '\ud800'), {
  minLength: 1,
  maxLength: 6,
});
const words = fc.array(
  word.map(characters => characters.join('')),
  { maxLength: 12 },
);
const charactersOf = (list: readonly string[]) =>
  Array.from(new Intl.Segmenter().segment(list.join(' ')), ({ segment }) => segment);

describe('errors of characters', () => {
  test('are as few as in the full matrix of graphemes', () => {
    fc.assert(
      fc.property(words, words, (said, heard) => {
        const { tokens, errors } = characterErrors(said, heard);
        expect(tokens).toBe(charactersOf(said).length);
        expect(errors).toBe(plainCost(charactersOf(said), charactersOf(heard)));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['', '', 0, 0],
    ['', 'ab c', 0, 4],
    ['ab c', '', 4, 4],
    ['né', 'ne', 2, 1],
    ['👨‍👩‍👧', '👨', 1, 1],
    ['𝒳𝒴', '𝒳𝒵', 2, 1],
    ['नमस्ते', 'नमस्त', 3, 1],
    ['你好 世界', '你 好 世 间', 4, 1],
    ['2026 年 iPhone が', '2026年 iPhone が', 12, 0],
    ['สวัสดี ครับ', 'สวัสดีครับ', 7, 0],
    ['한국 어', '한국어', 4, 1],
  ])('of "%s" and "%s" are of %d, %d', (said, heard, tokens, errors) => {
    const list = (text: string) => text.split(' ').filter(each => each !== '');
    expect(characterErrors(list(said), list(heard))).toEqual({ tokens, errors });
  });

  test('are exact for more different characters than a code unit has values', () => {
    // Letters with one and with two marks: 27 x 50 x 50 kinds.
    const marks = Array.from({ length: 50 }, (_, index) => String.fromCodePoint(0x300 + index));
    const letters = Array.from({ length: 27 }, (_, index) =>
      String.fromCodePoint(0x61 + (index % 26) - (index > 25 ? 32 : 0)),
    );
    const kinds = letters.flatMap(letter => marks.flatMap(one => marks.map(other => letter + one + other)));
    expect(new Set(kinds).size).toBeGreaterThan(65_536);
    // Two in the middle are swapped, and the last one is missing, so that the common ends are paired early.
    const heard = [...kinds.slice(0, 40_000), kinds[40_001]!, kinds[40_000]!, ...kinds.slice(40_002, -1)];
    expect(characterErrors([kinds.join('')], [heard.join('')])).toEqual({ tokens: kinds.length, errors: 3 });
  });
});

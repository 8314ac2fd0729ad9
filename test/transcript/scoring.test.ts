import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scoreWords, wordsOf } from '../../src/transcript/scoring.ts';

const score = (reference: string, hypothesis: string) => scoreWords(wordsOf(reference), wordsOf(hypothesis));
const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });

describe('the score of words', () => {
  test.each([
    ['the small dog', 'the small dog', { hits: 3, substitutions: 0, deletions: 0, insertions: 0, wer: 0 }],
    ['the small dog', 'the dog', { hits: 2, substitutions: 0, deletions: 1, insertions: 0, wer: 1 / 3 }],
    [
      'the small dog',
      'the very small frog',
      { hits: 2, substitutions: 1, deletions: 0, insertions: 1, wer: 2 / 3 },
    ],
    ['', '', { words: 0, wer: 0 }],
    ['', 'noise here', { words: 0, insertions: 2, wer: 1 }],
    ['silence', '', { deletions: 1, wer: 1 }],
    ['one', 'two three four', { substitutions: 1, insertions: 2, wer: 3 }],
  ])('of "%s" heard as "%s"', (reference, hypothesis, expected) => {
    expect(score(reference, hypothesis)).toMatchObject(expected);
  });

  test('adds up: every word of both sides is counted once', () => {
    fc.assert(
      fc.property(words, words, (reference, hypothesis) => {
        const { hits, substitutions, deletions, insertions } = scoreWords(reference, hypothesis);
        expect(hits + substitutions + deletions).toBe(reference.length);
        expect(hits + substitutions + insertions).toBe(hypothesis.length);
      }),
    );
  });

  test('is symmetric, is zero only for equals, and obeys the triangle', () => {
    const errors = (a: string[], b: string[]) => {
      const { substitutions, deletions, insertions } = scoreWords(a, b);
      return substitutions + deletions + insertions;
    };
    fc.assert(
      fc.property(words, words, words, (a, b, c) => {
        expect(errors(a, b)).toBe(errors(b, a));
        expect(errors(a, b) === 0).toBe(a.join() === b.join());
        expect(errors(a, c)).toBeLessThanOrEqual(errors(a, b) + errors(b, c));
      }),
    );
  });

  test('ignores case, punctuation and the shape of apostrophes', () => {
    expect(wordsOf('Don’t "stop" — it’s 10 o\'clock!')).toEqual(["don't", 'stop', "it's", '10', "o'clock"]);
  });
});

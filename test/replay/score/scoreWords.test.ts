import { describe, expect, test } from 'vitest';
import { scoreWords } from '../../../src/replay/score/scoreWords.ts';
import { wordsOf } from '../../../src/transcript/text/tokens.ts';

describe('the score of words', () => {
  test.each([
    ['the small dog', 'the small dog', { hits: 3, substitutions: 0, deletions: 0, insertions: 0, wer: 0 }],
    ['the small dog', 'the dog', { hits: 2, substitutions: 0, deletions: 1, insertions: 0, wer: 1 / 3 }],
    [
      'the small dog',
      'the very small frog',
      { hits: 2, substitutions: 1, deletions: 0, insertions: 1, wer: 2 / 3 },
    ],
    ['', '', { tokens: 0, wer: 0 }],
    ['', 'noise here', { tokens: 0, insertions: 2, wer: 1 }],
    ['silence', '', { deletions: 1, wer: 1 }],
    ['one', 'two three four', { substitutions: 1, insertions: 2, wer: 3 }],
  ])('of "%s" heard as "%s"', (reference, hypothesis, expected) => {
    expect(scoreWords(wordsOf(reference), wordsOf(hypothesis))).toMatchObject(expected);
  });

  test('uses the requested rule', () => {
    // Five substitutions are fewer edits; three deletions and three insertions cost less in sclite.
    const [reference, hypothesis] = [wordsOf('a b c x y'), wordsOf('x y d e f')];
    expect(scoreWords(reference, hypothesis)).toMatchObject({ hits: 0, substitutions: 5, wer: 1 });
    expect(scoreWords(reference, hypothesis, 'sclite')).toMatchObject({
      hits: 2,
      substitutions: 0,
      wer: 6 / 5,
    });
  });
});

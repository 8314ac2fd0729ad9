import { describe, expect, test } from 'vitest';
import { scoreWords } from '../../../src/replay/score/scoreWords.ts';
import { wordsOf } from '../../../src/transcript/text/tokens.ts';

describe('the score of words', () => {
  test('has the counts and the rate of errors', () => {
    expect(scoreWords(wordsOf('the small dog'), wordsOf('the very small frog'))).toMatchObject({
      ...{ hits: 2, substitutions: 1, deletions: 0, insertions: 1 },
      wer: 2 / 3,
    });
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

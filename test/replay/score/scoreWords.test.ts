import { describe, expect, test } from 'vitest';
import { scoreWords } from '../../../src/replay/score/errorCounts.ts';
import { wordsOf } from '../../../src/transcript/text/tokens.ts';

describe('the score of words', () => {
  test('has the counts and the rate of errors', () => {
    expect(scoreWords(wordsOf('the small dog'), wordsOf('the very small frog'))).toMatchObject({
      ...{ hits: 2, substitutions: 1, deletions: 0, insertions: 1 },
      wer: 2 / 3,
    });
  });
});

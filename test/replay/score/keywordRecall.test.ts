import { describe, expect, test } from 'vitest';
import { keywordRecall } from '../../../src/replay/score/keywordRecall.ts';
import { elementsOfText } from '../../../src/transcript/text/tokens.ts';
import { smallRules } from './testRules.ts';

const recall = (keywords: readonly string[], said: string, heard: string) =>
  keywordRecall(keywords, {
    reference: { kind: 'text', segments: [{ text: said }] },
    transcript: { monologues: [{ speaker: 0, elements: elementsOfText(heard) }] },
    rules: smallRules,
  });

describe('the recall of keywords', () => {
  test.each([
    ['dog', 'the dog and the Dog', 'the dog and the fog', 2, 1],
    ['New York', 'new York is not new, York is old', 'new york is not new fork is old', 2, 1],
    ['new york', 'new york', 'york', 1, 0],
    ['Twenty One', 'it is 21', 'it is twenty one', 1, 1],
    ["don't", 'do not go', "don't go", 1, 1],
    ['dog', 'the cat', 'the dog', 0, 0],
    ['a a', 'a a a a a', 'a a a a a', 2, 2],
    ['…', 'a', 'a', 0, 0],
    ['dog', '', 'dog', 0, 0],
    ['dog', 'dog', '', 1, 0],
  ])('of "%s" in "%s" heard as "%s" is %d said, %d heard', (keyword, said, heard, saidCount, heardCount) => {
    expect(recall([keyword], said, heard).keywords).toEqual([
      { keyword, said: saidCount, heard: heardCount },
    ]);
  });

  test('of several counts all occurrences, and is null when none was said', () => {
    expect(recall(['cat', 'dog', 'bird'], 'cat cat cat dog', 'cat cat bat dog').recall).toBe(3 / 4);
    expect(recall(['bird'], 'cat', 'bird').recall).toBeNull();
    expect(recall([], 'cat', 'cat')).toEqual({ recall: null, keywords: [] });
  });
});

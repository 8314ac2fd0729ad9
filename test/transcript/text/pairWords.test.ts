import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scoreWords } from '../../../src/replay/score/errorCounts.ts';
import { longestRise } from '../../../src/transcript/text/longestRise.ts';
import { editMatches, pairWords } from '../../../src/transcript/text/pairWords.ts';

const word = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const list = fc.array(word, { maxLength: 30 });

describe('the longest rise', () => {
  test('is as long as any that never falls', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 9 }), { maxLength: 12 }), values => {
        const rise = longestRise(values);
        const risen = rise.map(index => values[index]!);
        expect(rise).toEqual([...new Set(rise)].sort((one, other) => one - other));
        expect(risen).toEqual(risen.toSorted((one, other) => one - other));
        const lengths: number[] = [];
        for (const [index, value] of values.entries()) {
          const before = lengths.filter((_, earlier) => values[earlier]! <= value);
          lengths[index] = 1 + Math.max(0, ...before);
        }
        expect(rise.length).toBe(Math.max(0, ...lengths));
      }),
    );
  });
});

describe('pairs of words', () => {
  test('are equal words in order, each in one pair', () => {
    fc.assert(
      fc.property(list, list, (left, right) => {
        let reached = { left: -1, right: -1 };
        for (const pair of pairWords(left, right)) {
          expect(left[pair.left]).toBe(right[pair.right]);
          expect(pair.left).toBeGreaterThan(reached.left);
          expect(pair.right).toBeGreaterThan(reached.right);
          reached = pair;
        }
      }),
    );
  });

  test('come from the least number of edits', () => {
    fc.assert(
      fc.property(list, list, (left, right) => {
        const numbers = (words: readonly string[]) => words.map(value => value.charCodeAt(0));
        const kept = editMatches(numbers(left), numbers(right));
        // Words between two kept ones are substituted in pairs, and the rest is inserted or deleted.
        let errors = 0;
        let from = { left: 0, right: 0 };
        for (const at of [...kept, { left: left.length, right: right.length }]) {
          errors += Math.max(at.left - from.left, at.right - from.right);
          from = { left: at.left + 1, right: at.right + 1 };
        }
        const { substitutions, deletions, insertions } = scoreWords(left, right);
        expect(errors).toBe(substitutions + deletions + insertions);
      }),
    );
  });

  test('of two lists that are one are all of them', () => {
    expect(pairWords(['x', 'y', 'x'], ['x', 'y', 'x']).length).toBe(3);
    expect(pairWords([], ['x'])).toEqual([]);
  });

  test('of the speech of a day with every third word wrong are found soon, and nearly all', () => {
    // Words as frequent as in speech: some of them make up most of it.
    const random = randomNumbers(1);
    const spoken = Array.from({ length: 120_000 }, () => `word${Math.floor(5000 * random() ** 4)}`);
    const heard = spoken.flatMap(value => {
      const chance = random();
      if (chance < 0.3) return [`noise${Math.floor(20 * random())}`];
      if (chance < 0.32) return [];
      return chance < 0.34 ? [value, 'and'] : [value];
    });
    const began = performance.now();
    const pairs = pairWords(spoken, heard);
    expect(performance.now() - began).toBeLessThan(30_000);
    const right = heard.filter(value => value.startsWith('word')).length;
    expect(pairs.length).toBeGreaterThan(0.98 * right);
  });

  test('of long lists without anything in common are none', () => {
    const left = new Array(3000).fill('left');
    const right = new Array(3000).fill('right');
    expect(pairWords(left, right)).toEqual([]);
    // Nor are those of which no word is rare.
    expect(pairWords([...left, ...right], [...right, ...left])).toEqual([]);
  });
});

/** The same from 0 to 1 in every run ("minimal standard", Park and Miller 1988). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

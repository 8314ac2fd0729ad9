import fc from 'fast-check';
import { expect, test } from 'vitest';
import { likenessOf } from '../../../src/engines/alignment/matchTokens.ts';

const token = (value: string, sound = [...value].join(' ')) => ({ word: 0, value, sound });
const words = fc.stringMatching(/^[a-z]{1,12}$/);

test.for([
  ['the same word', token('read', 'R IY D'), token('read', 'R EH D'), 1],
  ['words that sound the same', token('to', 'T UW'), token('two', 'T UW'), 1],
  ['letters that change places', token('the', 'DH AH'), token('teh', 'T EH'), 1 - 0.5 / 3],
  ['another letter', token('leisure', 'L EH'), token('leasure', 'L IY'), 1 - 1 / 7],
  ['another phone', token('mr', 'M IH S T ER'), token('mister', 'M IH S T AH'), 1 - 1 / 5],
  ['nothing in common', token('woman'), token('big'), 0],
] as const)('%s', ([, one, other, likeness]) => {
  expect(likenessOf(one, other)).toBeCloseTo(likeness, 6);
});

test('is from 0 to 1, symmetric, and 1 for equal words', () => {
  fc.assert(
    fc.property(words, words, (one, other) => {
      const likeness = likenessOf(token(one), token(other));
      expect(likeness).toBeGreaterThanOrEqual(0);
      expect(likeness).toBeLessThanOrEqual(1);
      expect(likenessOf(token(other), token(one))).toBeCloseTo(likeness, 6);
      expect(likeness === 1).toBe(one === other);
    }),
  );
});

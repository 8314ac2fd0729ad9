import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_SECOND, PairTable } from '../../../src/engines/pronunciation/pairTable.ts';

test('pairs are numbered in order of appearance, and found again', () => {
  const pair = fc.tuple(fc.nat({ max: 1_000_000 }), fc.nat({ max: MAX_SECOND - 1 }));
  fc.assert(
    fc.property(fc.array(pair), pairs => {
      const table = new PairTable();
      const numbers = new Map<string, number>();
      for (const [first, second] of pairs) {
        const key = `${first} ${second}`;
        expect(table.find(first, second)).toBe(numbers.get(key) ?? -1);
        if (!numbers.has(key)) numbers.set(key, numbers.size);
        expect(table.add(first, second)).toBe(numbers.get(key));
        expect(table.size).toBe(numbers.size);
      }
    }),
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SequenceModel } from '../../../src/engines/pronunciation/sequenceModel.ts';

function learned(order: number, sequences: readonly (readonly number[])[]): SequenceModel {
  const model = new SequenceModel(order);
  for (const sequence of sequences) model.learn(sequence);
  model.finish();
  return model;
}

describe('a sequence model', () => {
  it('expects known sequences more than unknown ones, and longer contexts decide', () => {
    const model = learned(3, [...Array(20).fill([0, 2, 3, 4]), ...Array(20).fill([0, 5, 3, 6])]);
    const [one, other] = [model.placeAfter([2, 3]), model.placeAfter([5, 3])];
    expect(model.probability(one, 4)).toBeGreaterThan(0.8);
    expect(model.probability(other, 6)).toBeGreaterThan(0.8);
    expect(model.probability(one, 6)).toBeLessThan(0.2);
    expect(model.probability(one, 99)).toBeGreaterThan(0);
    expect(model.probability(model.placeAfter([3]), 4)).toBeGreaterThan(model.probability(one, 6));
  });

  it('counts the contexts of a word rather than its frequency', () => {
    // 8 follows one symbol always, 9 many symbols once: after a new one, 9 is likelier.
    const often = Array.from({ length: 20 }, () => [0, 2, 8]);
    const everywhere = Array.from({ length: 6 }, (_, index) => [0, 10 + index, 9]);
    const model = learned(2, [...often, ...everywhere]);
    const place = model.placeAfter([77]);
    expect(model.probability(place, 9)).toBeGreaterThan(model.probability(place, 8));
  });

  it('distributes a probability of 1 over all symbols, in every position', () => {
    const sequence = fc.array(fc.integer({ min: 2, max: 9 }), { minLength: 1, maxLength: 12 });
    const sequences = fc.array(sequence, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(sequences, sequence, fc.integer({ min: 1, max: 5 }), (all, history, order) => {
        const model = learned(
          order,
          all.map(symbols => [0, ...symbols, 1]),
        );
        const known = new Set([...all.flat(), 1]);
        const place = model.placeAfter([0, ...history]);
        let sum = 0;
        for (const symbol of known) sum += model.probability(place, symbol);
        // What is missing to 1 is kept for symbols that never came.
        expect(sum).toBeLessThan(1 + 1e-9);
        expect(sum + model.probability(place, 4000)).toBeCloseTo(1, 9);
      }),
    );
  });
});

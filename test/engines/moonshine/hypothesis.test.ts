import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeGreedily, repeats } from '../../../src/engines/moonshine/hypothesis.ts';
import { START_TOKEN } from '../../../src/engines/moonshine/tokens.ts';
import { type ScriptedDecoding, scriptedDecoding } from './scriptedDecoding.ts';

const token = fc.integer({ min: 3, max: 40 });
/** Tokens that all differ, so that nothing in them is a repetition. */
const differing = fc.uniqueArray(token, { minLength: 1, maxLength: 10 });
const timesOf = (length: number) => (length === 1 ? 8 : length <= 3 ? 5 : 4);
const again = (unit: readonly number[], times: number) =>
  new Array<readonly number[]>(times).fill(unit).flat();

describe('a loop of tokens', () => {
  it('is a run of up to ten tokens repeated often enough, whatever comes before', () => {
    fc.assert(
      fc.property(differing, fc.array(token, { maxLength: 20 }), (unit, before) => {
        expect(repeats([...before, ...again(unit, timesOf(unit.length))])).toBe(true);
      }),
    );
  });

  it('needs the full number of repetitions', () => {
    fc.assert(
      fc.property(differing, unit => {
        // What comes before is in no unit.
        expect(repeats([1000, ...again(unit, timesOf(unit.length) - 1)])).toBe(false);
      }),
    );
  });

  it('is over after another token', () => {
    fc.assert(
      fc.property(differing, unit => {
        expect(repeats([...again(unit, timesOf(unit.length)), 1000])).toBe(false);
      }),
    );
  });

  it('is not a run of eleven tokens, or of none', () => {
    const eleven = Array.from({ length: 11 }, (_, index) => index + 3);
    expect(repeats(again(eleven, 6))).toBe(false);
    expect(repeats([])).toBe(false);
  });
});

/** Input of each step. */
const given = ({ steps }: ScriptedDecoding) => steps.map(tokens => [...tokens]);

describe('greedy decoding', () => {
  it('returns the chosen tokens up to the end, with their probabilities', async () => {
    const decoding = scriptedDecoding({ says: [5, 6, 7] });
    const found = await decodeGreedily(decoding);
    expect(found.tokens).toEqual([5, 6, 7]);
    expect(found.stop).toBe('end');
    expect(given(decoding)).toEqual([[START_TOKEN], [5], [6], [7]]);
    for (const probability of found.logProbabilities.map(Math.exp)) {
      expect(probability).toBeGreaterThan(0.9);
      expect(probability).toBeLessThan(1);
    }
    expect(found.endProbability).toBeGreaterThan(0.9);
  });

  it('continues after a prefix, with its probabilities and attention', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(token, { minLength: 1, maxLength: 12 }).filter(tokens => !repeats(tokens)),
        fc.nat(),
        async (says, cut) => {
          const prefix = says.slice(0, cut % (says.length + 1));
          const whole = await decodeGreedily(scriptedDecoding({ says, positions: 400 }));
          const forced = scriptedDecoding({ says, positions: 400 });
          const found = await decodeGreedily(forced, { prefix });
          expect(found).toEqual(whole);
          expect(found.logProbabilities).toHaveLength(says.length);
          expect(found.attention.map(rows => rows.length)).toEqual([says.length + 1, says.length + 1]);
          expect(forced.steps).toHaveLength(says.length - prefix.length + 1);
        },
      ),
    );
  });

  it('keeps an unlikely prefix, with its low probability', async () => {
    const found = await decodeGreedily(scriptedDecoding({ says: [5, 6, 7] }), { prefix: [9] });
    expect(found.tokens).toEqual([9, 6, 7]);
    expect(Math.exp(found.logProbabilities[0]!)).toBeLessThan(0.01);
  });

  it('ends in a loop at its eighth word', async () => {
    const says = new Array<number>(50).fill(5);
    const found = await decodeGreedily(scriptedDecoding({ says, positions: 2000 }));
    expect(found.stop).toBe('loop');
    expect(found.tokens).toHaveLength(8);
  });

  it('ends above the limit of tokens for the duration, and always ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 500 }), fc.nat(12), async (positions, prefixed) => {
        const says = Array.from({ length: 1000 }, (_, index) => index + 3);
        const prefix = says.slice(0, prefixed);
        const found = await decodeGreedily(scriptedDecoding({ says, positions }), { prefix });
        expect(found.stop).toBe('length');
        expect(found.endProbability).toBe(0);
        const most = Math.max(4, Math.ceil(positions * 0.024 * 6.5));
        expect(found.tokens.length).toBe(Math.max(most, prefix.length + 1));
      }),
      { numRuns: 20 },
    );
  });

  it('chooses a favoured token, with its probability before the bonus', async () => {
    const plain = await decodeGreedily(scriptedDecoding({ says: [5] }), { prefix: [8] });
    const favour = (tokens: readonly number[]) => (tokens.length === 0 ? new Map([[8, 50]]) : undefined);
    const favoured = await decodeGreedily(scriptedDecoding({ says: [5] }), { favour });
    expect(favoured.tokens).toEqual([8]);
    expect(favoured.logProbabilities).toEqual(plain.logProbabilities);
    const tooLittle = await decodeGreedily(scriptedDecoding({ says: [5] }), {
      favour: () => new Map([[8, 1]]),
    });
    expect(tooLittle.tokens).toEqual([5]);
  });

  it('ends where no bonus reaches the end', async () => {
    const favour = () => new Map([[8, 1]]);
    const found = await decodeGreedily(scriptedDecoding({ says: [] }), { favour });
    expect(found.tokens).toEqual([]);
    expect(found.logProbabilities).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DecodeOptions,
  decodeHypotheses,
  type Hypothesis,
  repeats,
} from '../../../src/engines/moonshine/hypothesis.ts';
import type { MoonshineDecoding } from '../../../src/engines/moonshine/model.ts';
import { END_TOKEN, START_TOKEN, VOCABULARY_SIZE } from '../../../src/engines/moonshine/tokens.ts';
import { type Script, saying, scriptedDecoding } from './scriptedDecoding.ts';

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

/** Decodes with one beam. */
async function decodeOne(decoding: MoonshineDecoding, options: DecodeOptions = {}): Promise<Hypothesis> {
  const [found, ...others] = await decodeHypotheses(decoding, options);
  expect(others).toEqual([]);
  return found!;
}

describe('greedy decoding', () => {
  it('returns the chosen tokens up to the end, with their probabilities', async () => {
    const decoding = scriptedDecoding(saying([5, 6, 7]));
    const found = await decodeOne(decoding);
    expect(found.tokens).toEqual([5, 6, 7]);
    expect(found.stop).toBe('end');
    expect(decoding.steps).toEqual([[[START_TOKEN]], [[5]], [[6]], [[7]]]);
    for (const probability of found.logProbabilities.map(Math.exp)) {
      expect(probability).toBeGreaterThan(0.9);
      expect(probability).toBeLessThan(1);
    }
    expect(found.endProbability).toBeGreaterThan(0.9);
  });

  it('has the same result with a likely or an unlikely guess, in fewer steps with a likely one', async () => {
    const tokens = fc.array(token, { maxLength: 12 }).filter(some => !repeats(some));
    await fc.assert(
      fc.asyncProperty(tokens, tokens, fc.nat(12), async (says, other, cut) => {
        const right = says.slice(0, cut);
        const whole = await decodeOne(scriptedDecoding(saying(says), 400));
        const guessed = scriptedDecoding(saying(says), 400);
        expect(await decodeOne(guessed, { guess: [...right, ...other] })).toEqual(whole);
        expect(guessed.steps.length).toBeLessThanOrEqual(says.length - right.length + 1);
      }),
    );
  });

  it('keeps a guessed token that is nearly the likeliest, and no other', async () => {
    const script: Script = (tokens): Record<number, number> =>
      tokens.length === 0 ? { 5: 15, 6: 14, 7: 13 } : { [END_TOKEN]: 15 };
    const textAfter = async (guess: readonly number[]) =>
      (await decodeOne(scriptedDecoding(script), { guess })).tokens;
    expect(await textAfter([6])).toEqual([6]);
    expect(await textAfter([7])).toEqual([5]);
  });

  it('ends in a loop at its eighth word', async () => {
    const says = new Array<number>(50).fill(5);
    const found = await decodeOne(scriptedDecoding(saying(says), 2000));
    expect(found.stop).toBe('loop');
    expect(found.tokens).toHaveLength(8);
  });

  it('ends above the limit of tokens for the duration, and always ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 500 }), fc.nat(12), async (positions, guessed) => {
        const says = Array.from({ length: 1000 }, (_, index) => index + 3);
        const guess = says.slice(0, guessed);
        const found = await decodeOne(scriptedDecoding(saying(says), positions), { guess });
        expect(found.stop).toBe('length');
        expect(found.endProbability).toBe(0);
        expect(found.tokens.length).toBe(Math.max(4, Math.ceil(positions * 0.024 * 6.5)));
      }),
      { numRuns: 20 },
    );
  });

  it('chooses a favoured token, with its probability before the bonus', async () => {
    const favour = (tokens: readonly number[]) => (tokens.length === 0 ? new Map([[8, 50]]) : undefined);
    const favoured = await decodeOne(scriptedDecoding(saying([5])), { favour });
    expect(favoured.tokens).toEqual([8]);
    expect(Math.exp(favoured.logProbabilities[0]!)).toBeLessThan(0.01);
    const tooLittle = await decodeOne(scriptedDecoding(saying([5])), { favour: () => new Map([[8, 1]]) });
    expect(tooLittle.tokens).toEqual([5]);
  });

  it('ends where no bonus reaches the end', async () => {
    const found = await decodeOne(scriptedDecoding(saying([])), { favour: () => new Map([[8, 1]]) });
    expect(found.tokens).toEqual([]);
    expect(found.logProbabilities).toEqual([]);
  });
});

describe('decoding with several beams', () => {
  /** The likeliest first token leads to unlikely ones; the second one to a likely text. */
  const garden: Script = (tokens): Record<number, number> => {
    if (tokens.length === 0) return { 5: 15, 6: 14.5 };
    if (tokens.length === 1) return tokens[0] === 5 ? { 7: 14, 8: 14, 9: 14 } : { 9: 15 };
    return { [END_TOKEN]: 15 };
  };

  it('finds a likelier text behind a second choice', async () => {
    expect((await decodeOne(scriptedDecoding(garden))).tokens).toEqual([5, 7]);
    const found = await decodeHypotheses(scriptedDecoding(garden), { beams: 2 });
    const best = found.toSorted((one, other) => sumOf(other) - sumOf(one))[0];
    expect(best?.tokens).toEqual([6, 9]);
    expect(best?.attention.map(rows => rows.length)).toEqual([3, 3]);
  });

  it('returns as many hypotheses as beams, each with a probability of each token', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fc.nat(15)),
        fc.integer({ min: 1, max: 4 }),
        async (logits, beams) => {
          // Any script: each path of tokens has logits of its own.
          const known = new Map<string, Record<number, number>>();
          const script: Script = tokens => {
            const path = tokens.join();
            const next = known.get(path) ?? {
              [END_TOKEN]: 9,
              ...Object.fromEntries([3, 4, 5].map(each => [each, logits.next().value as number])),
            };
            known.set(path, next);
            return next;
          };
          const found = await decodeHypotheses(scriptedDecoding(script), { beams });
          expect(found).toHaveLength(beams);
          expect(new Set(found.map(({ tokens, stop }) => `${tokens} ${stop}`)).size).toBe(beams);
          for (const { tokens, logProbabilities } of found) {
            for (const [at, token] of tokens.entries()) {
              const next = script(tokens.slice(0, at));
              const others = VOCABULARY_SIZE - Object.keys(next).length;
              const sum = Object.values(next).reduce((total, logit) => total + Math.exp(logit), others);
              expect(logProbabilities[at]).toBeCloseTo((next[token] ?? 0) - Math.log(sum), 2);
            }
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});

function sumOf({ logProbabilities }: Hypothesis): number {
  return logProbabilities.reduce((sum, value) => sum + value, 0);
}

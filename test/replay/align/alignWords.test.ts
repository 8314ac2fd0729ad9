import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../../src/base/seeded.ts';
import { alignWords } from '../../../src/replay/align/alignWords.ts';
import { countErrors, tokenErrors } from '../../../src/replay/score/errorCounts.ts';
import { recognisedSpeech } from '../score/generatedWords.ts';
import { plainCost, shapeOf } from './plainAlignment.ts';

const words = fc.array(fc.constantFrom('a', 'b', 'c', 'dé', '𝒳'), { maxLength: 24 });
const split = (text: string) => text.split(' ').filter(word => word !== '');

describe('an alignment', () => {
  const counted = (reference: readonly string[], hypothesis: readonly string[]) =>
    countErrors(alignWords(reference, hypothesis));
  const errorsOf = (reference: readonly string[], hypothesis: readonly string[]) =>
    tokenErrors(counted(reference, hypothesis)).errors;

  test('has every word of both sides once, in order, and pairs equal words as hits', () => {
    fc.assert(
      fc.property(words, words, (reference, hypothesis) => {
        const steps = alignWords(reference, hypothesis);
        const said = steps.flatMap(step => (step.type === 'insertion' ? [] : [step.reference]));
        const heard = steps.flatMap(step => (step.type === 'deletion' ? [] : [step.hypothesis]));
        expect(said).toEqual([...reference.keys()]);
        expect(heard).toEqual([...hypothesis.keys()]);
        for (const step of steps) {
          if (step.type === 'deletion' || step.type === 'insertion') continue;
          const isSame = reference[step.reference] === hypothesis[step.hypothesis];
          expect(step.type).toBe(isSame ? 'hit' : 'substitution');
        }
      }),
    );
  });

  test('costs as little as the full matrix', () => {
    fc.assert(
      fc.property(words, words, (reference, hypothesis) => {
        expect(errorsOf(reference, hypothesis)).toBe(plainCost(reference, hypothesis));
      }),
      { numRuns: 1000 },
    );
  });

  test('of long lists costs as little as the full matrix, over many blocks', () => {
    const { reference: said, hypothesis } = recognisedSpeech(seeded(7), 1500);
    expect(errorsOf(said, hypothesis)).toBe(plainCost(said, hypothesis));
    // No word of the first list is at the same place in the second.
    const turned = [...said.slice(700), ...said.slice(0, 700)];
    expect(errorsOf(said, turned)).toBe(plainCost(said, turned));
  });

  test.each([1, 31, 32, 63, 64, 65, 66, 127, 129, 200])(
    'finds words moved by %d words, repeated words and omitted words',
    distance => {
      const { reference, hypothesis } = recognisedSpeech(seeded(distance), 600);
      const [start, rest] = [hypothesis.slice(0, distance), hypothesis.slice(distance)];
      const more = [...hypothesis.slice(0, 300), ...start, ...hypothesis.slice(300)];
      const unlike = start.map((_, index) => `unlike${index}`);
      for (const other of [[...rest, ...start], rest, more, [...unlike, ...rest], [...rest, ...unlike]])
        expect(errorsOf(reference, other)).toBe(plainCost(reference, other));
    },
  );

  test('of an hour of speech needs little memory, whatever its errors', { timeout: 120_000 }, () => {
    const { reference: said } = recognisedSpeech(seeded(1), 9000);
    const others = said.map((_, index) => `other${index}`);
    const before = process.memoryUsage().arrayBuffers;
    const counts = counted(said, others);
    expect(counts).toMatchObject({ hits: 0, substitutions: 9000, deletions: 0, insertions: 0 });
    // The full matrix would take 81 MB with a byte per cell. Unused memory may not have been collected yet.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64e6);
  });

  test.each([
    ['', '', ''],
    ['', 'a b', 'ii'],
    ['a b', '', 'dd'],
    ['a', 'a', 'h'],
    ['a', 'b', 's'],
    ['a b c', 'd e f', 'sss'],
    ['a b c', 'x y', 'dss'],
    ['a a a a', 'a a', 'hhdd'],
    ['a a', 'a a a a', 'hhii'],
    ['𝒳 𝒴', '𝒳 𝒵', 'hs'],
  ])('of "%s" and "%s" is "%s"', (reference, hypothesis, expected) => {
    const shape = shapeOf(alignWords(split(reference), split(hypothesis)));
    expect([...shape].toSorted().join('')).toBe([...expected].toSorted().join(''));
  });
});

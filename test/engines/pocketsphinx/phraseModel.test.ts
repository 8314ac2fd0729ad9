import { describe, expect, it } from 'vitest';
import { type BaseModel, phraseModel } from '../../../src/engines/pocketsphinx/phraseModel.ts';

/** Words that are common, less common and unheard of. */
const COMMON: Readonly<Record<string, number>> = { the: 0.05, of: 0.02, queen: 1e-4, park: 1e-4 };
const base: BaseModel = { probability: word => COMMON[word] ?? 0 };

/** The sections of a file, as probabilities. */
function read(phrases: readonly string[]): Readonly<Record<string, number>>[] {
  const sections = phraseModel(phrases, base).split(/\\\d-grams:\n/);
  return sections.slice(1).map((section, index) =>
    Object.fromEntries(
      section
        .split('\n')
        .filter(line => /^-?\d/.test(line))
        .map(line => line.split(' '))
        .map(([log, ...words]) => [words.slice(0, index + 1).join(' '), 10 ** Number(log)]),
    ),
  );
}

describe('the language model of phrases', () => {
  it('is a file as the decoder reads it', () => {
    expect(phraseModel(['norland park', 'norland'], base)).toMatch(
      /^\\data\\\nngram 1=2\nngram 2=1\n\n\\1-grams:\n-\d\.\d{4} norland 0\n-\d\.\d{4} park 0\n\n\\2-grams:\n-\d\.\d{4} norland park\n\n\\end\\\n$/,
    );
  });

  it('has as many lengths as the longest phrase, three at most', () => {
    expect(read(['norland'])).toHaveLength(1);
    expect(read(['norland park'])).toHaveLength(2);
    expect(read(['the queen of norland park'])).toHaveLength(3);
  });

  it('goes on with a phrase after a rare word, and hardly after a common one', () => {
    const [, pairs] = read(['queen of hearts', 'the ritz', 'norland park']);
    expect(pairs!['norland park']).toBeCloseTo(0.95);
    expect(pairs!['queen of']).toBeGreaterThan(0.4);
    expect(pairs!['the ritz']).toBeLessThan(0.01);
    const [, , triples] = read(['of the ritz']);
    expect(triples!['of the ritz']).toBeGreaterThan(0.05);
  });

  it('shares what is expected of a word out among its phrases', () => {
    const [, pairs] = read(['norland park', 'norland hall', 'norland hall', 'norland']);
    expect(pairs!['norland park']).toBeCloseTo(0.25);
    expect(pairs!['norland hall']).toBeCloseTo(0.5);
  });

  it('expects each phrase less, the more there are', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `norland${index}`);
    const [[few], [more]] = [read(['norland0']), read(many)];
    expect(few!.norland0).toBeLessThanOrEqual(1e-4);
    expect(more!.norland0).toBeLessThan(few!.norland0! / 10);
    expect(Object.values(more!).reduce((sum, one) => sum + one, 0)).toBeLessThan(0.1);
  });
});

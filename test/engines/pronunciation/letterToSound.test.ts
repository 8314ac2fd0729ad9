// @module-tag slow

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Dictionary, parseDictionary } from '../../../src/engines/pronunciation/dictionary.ts';
import { learnLetterToSound } from '../../../src/engines/pronunciation/letterToSound.ts';

/** The dictionary that comes with SoundSwallower. */
const DICTIONARY = new URL('./model/en-us/dict.txt', import.meta.resolve('soundswallower'));

/** A language in which letters say what they look like, except that "c" before "e" is soft. */
function toyDictionary(): Dictionary {
  const syllables = ['ba', 'be', 'ca', 'ce', 'ta', 'te'];
  const sounds: Record<string, string> = { ba: 'B A', be: 'B E', ca: 'K A', ce: 'S E', ta: 'T A', te: 'T E' };
  const words = syllables.flatMap(one => syllables.map(two => [one, two]));
  return new Map(words.map(parts => [parts.join(''), [parts.map(part => sounds[part]).join(' ')]]));
}

describe('letters and their sounds', () => {
  it('are learned from words, including context', () => {
    const { pronounce } = learnLetterToSound(toyDictionary());
    const [best, ...others] = pronounce('baceteca', 3);
    expect(best?.phones).toBe('B A S E T E K A');
    expect(others.length).toBeLessThanOrEqual(2);
    for (const { probability } of others) expect(probability).toBeLessThanOrEqual(best!.probability);
  });

  it('are unknown for unknown letters, and for none', () => {
    const { pronounce } = learnLetterToSound(toyDictionary());
    expect(pronounce('baž', 3)).toEqual([]);
    expect(pronounce('', 3)).toEqual([]);
    expect(learnLetterToSound(new Map()).pronounce('a', 3)).toEqual([]);
  });

  it('are right for seven of ten English words that were held out', { timeout: 120_000 }, () => {
    // Its comments have one mark less than those of the format.
    const all = parseDictionary(readFileSync(DICTIONARY, 'utf8').replace(/^;.*/gm, ''));
    const plain = [...all.keys()].filter(word => /^[a-z]{2,}$/.test(word));
    const kept = new Set(plain.filter((_, index) => index % 250 === 0));
    const { pronounce } = learnLetterToSound(new Map([...all].filter(([word]) => !kept.has(word))));
    let [first, anyOfThree] = [0, 0];
    for (const word of kept) {
      const guesses = pronounce(word, 3).map(({ phones }) => phones);
      if (all.get(word)!.includes(guesses[0] ?? '')) first += 1;
      if (guesses.some(guess => all.get(word)!.includes(guess))) anyOfThree += 1;
    }
    expect(kept.size).toBeGreaterThan(400);
    expect(first / kept.size).toBeGreaterThan(0.68);
    expect(anyOfThree / kept.size).toBeGreaterThan(0.83);
  });
});

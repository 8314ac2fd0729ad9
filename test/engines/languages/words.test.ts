import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { LANGUAGE_WORDS } from '../../../src/engines/languages/languageWords.ts';
import {
  lettersOf,
  PHONES,
  phonesOf,
  soundingWords,
  WORD_LANGUAGES,
} from '../../../src/engines/languages/soundingWords.ts';
import { parseDictionary } from '../../../src/engines/pronunciation/dictionary.ts';

describe('the word lists', () => {
  test.each(WORD_LANGUAGES)(
    'of %s have thousands of unique words, most frequent first, of known phones',
    language => {
      const words = LANGUAGE_WORDS[language];
      expect(words.length).toBeGreaterThan(5000);
      expect(new Set(words.map(({ letters }) => letters)).size).toBe(words.length);
      const counts = words.map(({ count }) => count);
      expect(counts).toEqual(counts.toSorted((one, other) => other - one));
      expect(counts.at(-1)).toBeGreaterThan(0);
      for (const { letters } of words) expect(lettersOf(phonesOf(letters).split(' '))).toBe(letters);
    },
  );

  test('of English match the dictionary of the acoustic model', async () => {
    const text = await readFile(
      new URL('./model/en-us/dict.txt', import.meta.resolve('soundswallower')),
      'utf8',
    );
    const dictionary = parseDictionary(text.replace(/^;.*/gm, ''));
    const known = new Set([...dictionary.values()].map(([first]) => lettersOf(first!.split(' '))));
    expect(LANGUAGE_WORDS.en.filter(({ letters }) => !known.has(letters))).toEqual([]);
    const the = lettersOf(dictionary.get('the')![0]!.split(' '));
    expect(LANGUAGE_WORDS.en[0]!.letters).toBe(the);
  });

  test.each(WORD_LANGUAGES)('of %s name their source and its licence', async language => {
    const file = new URL(`../../../src/engines/languages/words/${language}.json`, import.meta.url);
    const { source } = JSON.parse(await readFile(file, 'utf8'));
    expect(source).toMatch(/^The commonest words of .+, public domain, as phones\.$/);
  });

  test('have a letter for every phone', () => {
    expect(phonesOf(lettersOf(PHONES))).toBe(PHONES.join(' '));
  });

  test('have the count of their group', () => {
    const groups = [
      { count: 7, sounds: 'AB C' },
      { count: 2, sounds: 'E' },
    ];
    expect(soundingWords(groups)).toEqual([
      { letters: 'AB', count: 7 },
      { letters: 'C', count: 7 },
      { letters: 'E', count: 2 },
    ]);
  });
});

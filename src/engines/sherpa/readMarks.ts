import type { WrittenWord } from '../punctuator.ts';

/** Marks as models write them, of Latin and of Chinese text. */
const MARKS: Readonly<Record<string, WrittenWord['mark']>> = {
  ...{ ',': ',', '.': '.', '?': '?', '!': '!' },
  ...{ '，': ',', '、': ',', '。': '.', '？': '?', '！': '!' },
};

/**
 * Finds words again in a text with marks and capitals.
 *
 * What models do besides is passed over: space put into a word, a mark within it, words that are missing at the end.
 */
export function readMarks(words: readonly string[], text: string): readonly WrittenWord[] {
  const characters = [...text];
  let at = 0;
  return words.map(word => {
    const value = [...word].map(character => {
      let found = at;
      while (!isSame(characters[found], character) && isBetween(characters[found])) found += 1;
      if (!isSame(characters[found], character)) return character;
      at = found + 1;
      return characters[found]!;
    });
    const mark = MARKS[characters[at] ?? ''] ?? '';
    return { value: value.join(''), mark };
  });
}

function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

function isBetween(character: string | undefined): boolean {
  return character !== undefined && (/\s/.test(character) || character in MARKS);
}

/** A word as it sounds: a letter for each phone, and how often it occurs in a book in the public domain. */
export interface SoundingWord {
  readonly letters: string;
  readonly count: number;
}

/** Reads words as `test/generate/languageWords.ts` writes them: a number says how often each word after it occurs. */
export function parseSoundingWords(text: string): readonly SoundingWord[] {
  const words: SoundingWord[] = [];
  let count = 0;
  for (const entry of text.trim().split(/\s+/)) {
    if (/^\d/.test(entry)) count = Number(entry);
    else words.push({ letters: entry, count });
  }
  return words;
}

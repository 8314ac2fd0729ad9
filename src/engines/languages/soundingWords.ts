/** A word by its sound, a letter for each phone, with its frequency in a book in the public domain. */
export interface SoundingWord {
  readonly letters: string;
  readonly count: number;
}

/**
 * Parses words as written by `test/generate/languageWords.ts`: a number is the frequency of the words after
 * it.
 */
export function parseSoundingWords(text: string): readonly SoundingWord[] {
  const words: SoundingWord[] = [];
  let count = 0;
  for (const entry of text.trim().split(/\s+/)) {
    if (/^\d/.test(entry)) count = Number(entry);
    else words.push({ letters: entry, count });
  }
  return words;
}

/** ISO 639-1 codes of the languages with word lists. */
export const WORD_LANGUAGES = ['de', 'en', 'es', 'fr', 'it'] as const;

/** Loads the most frequent words of each language by their sound. */
export async function readLanguages(): Promise<Readonly<Record<string, readonly SoundingWord[]>>> {
  const [de, en, es, fr, it] = await Promise.all([
    import('./words/de.ts'),
    import('./words/en.ts'),
    import('./words/es.ts'),
    import('./words/fr.ts'),
    import('./words/it.ts'),
  ]);
  const texts = { de, en, es, fr, it } satisfies Record<(typeof WORD_LANGUAGES)[number], { WORDS: string }>;
  return Object.fromEntries(
    Object.entries(texts).map(([language, { WORDS }]) => [language, parseSoundingWords(WORDS)]),
  );
}

/** Phones of the English acoustic model, which all languages are transcribed in. */
export const PHONES: readonly string[] =
  'AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH'.split(
    ' ',
  );

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm';

/** Encodes phones as a word with a letter for each. */
export function lettersOf(phones: readonly string[]): string {
  return phones.map(phone => LETTERS[PHONES.indexOf(phone)]!).join('');
}

/** Decodes a word of {@link lettersOf} to phones separated by spaces. */
export function phonesOf(letters: string): string {
  return Array.from(letters, letter => PHONES[LETTERS.indexOf(letter)]!).join(' ');
}

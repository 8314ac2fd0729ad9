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

/** ISO 639-1 codes of the languages that there are words of. */
export const WORD_LANGUAGES = ['de', 'en', 'es', 'fr', 'it'] as const;

/** The commonest words of each language, as they sound. */
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

/** The phones of the English acoustic model, which all languages are written in. */
export const PHONES: readonly string[] =
  'AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH'.split(
    ' ',
  );

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm';

/** Phones as a word with a letter for each. */
export function lettersOf(phones: readonly string[]): string {
  return phones.map(phone => LETTERS[PHONES.indexOf(phone)]!).join('');
}

/** The phones that {@link lettersOf} wrote as letters, with a space between. */
export function phonesOf(letters: string): string {
  return Array.from(letters, letter => PHONES[LETTERS.indexOf(letter)]!).join(' ');
}

/** A word by its sound, a letter for each phone, with its frequency in a book in the public domain. */
export interface SoundingWord {
  readonly letters: string;
  readonly count: number;
}

/** Words of equal frequency, as written by `test/generate/languageWords.ts`. */
export interface SoundGroup {
  readonly count: number;
  /** Words as in {@link SoundingWord}, separated by spaces. */
  readonly sounds: string;
}

/** Returns the words of groups in order. */
export function soundingWords(groups: readonly SoundGroup[]): readonly SoundingWord[] {
  return groups.flatMap(({ count, sounds }) => sounds.split(' ').map(letters => ({ letters, count })));
}

/** ISO 639-1 codes of the languages with word lists. */
export const WORD_LANGUAGES = ['de', 'en', 'es', 'fr', 'it'] as const;

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

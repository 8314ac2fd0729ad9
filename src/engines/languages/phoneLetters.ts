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

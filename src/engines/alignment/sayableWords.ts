import type { WordSounds } from './wordSounds.ts';

/** A word of a text of which it is known how it is said. */
export interface SayableWord {
  /** Its number in the text. */
  readonly number: number;
  readonly pronunciations: readonly string[];
  /** Of the shortest of them. */
  readonly phones: number;
}

/** Nobody says a longer one in one breath; to find out how would take time with the square of its length. */
const MAX_CHARACTERS = 100;

/** The words of a text that can be looked for. */
export function sayableWords(text: readonly string[], soundsOf: WordSounds): readonly SayableWord[] {
  const isShouted = 2 * text.filter(isInCapitals).length > text.length;
  return text.flatMap((written, number) => {
    if (written.length > MAX_CHARACTERS) return [];
    // Where all is in capitals they do not tell initials.
    const pronunciations = soundsOf(isShouted ? written.toLowerCase() : written);
    if (pronunciations.length === 0) return [];
    return [{ number, pronunciations, phones: Math.min(...pronunciations.map(countPhones)) }];
  });
}

function isInCapitals(word: string): boolean {
  return /[A-Z]/.test(word) && !/[a-z]/.test(word);
}

function countPhones(pronunciation: string): number {
  return pronunciation.split(' ').length;
}

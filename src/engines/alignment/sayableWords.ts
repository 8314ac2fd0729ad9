import type { WordSounds } from './wordSounds.ts';

/** A word of a text of which it is known how it is said. */
export interface SayableWord {
  /** Its number in the text. */
  readonly number: number;
  readonly pronunciations: readonly string[];
  /** Of the shortest of them. */
  readonly phones: number;
}

/** The words of a text that can be looked for. */
export function sayableWords(text: readonly string[], soundsOf: WordSounds): readonly SayableWord[] {
  const isShouted = 2 * text.filter(word => /^[^a-z]*[A-Z][^a-z]*$/.test(word)).length > text.length;
  return text.flatMap((written, number) => {
    // Where all is in capitals they do not tell initials.
    const pronunciations = soundsOf(isShouted ? written.toLowerCase() : written);
    if (pronunciations.length === 0) return [];
    return [{ number, pronunciations, phones: Math.min(...pronunciations.map(countPhones)) }];
  });
}

function countPhones(pronunciation: string): number {
  return pronunciation.split(' ').length;
}

/** Returns a word with a capital as its first letter. */
export function withCapital(word: string): string {
  return word.replace(/\p{L}/u, letter => letter.toUpperCase());
}

/** "um", "uhh", "erm", "hmm" and the like. "mhm", "uh-huh", "huh", "oh" and "ah" carry meaning and stay. */
const HESITATION = /^(?:u+h*m+|u+h+|erm*|h+m+|m{2,})$/;

/** Returns whether an English word is only a sound of hesitation. */
export function isHesitation(value: string): boolean {
  return HESITATION.test(value);
}

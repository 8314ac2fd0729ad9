import type { RecognizedWord } from '../recognizer.ts';

/** Sounds of hesitation; "mhm", "uh-huh", "huh", "oh" and "ah" carry meaning and stay. */
export const DISFLUENCIES: ReadonlySet<string> = new Set([
  ...['um', 'umm', 'uhm', 'uh', 'uhh', 'er', 'erm', 'hm', 'hmm', 'mm', 'mmm'],
]);

/**
 * Words that nobody says twice in a row on purpose: "the the". "That that", "had had", "very very", "no no", "my my" and
 * the letters of "a a" may be meant, and stay.
 */
const STUTTERED: ReadonlySet<string> = new Set([
  ...['an', 'the', 'i', 'we', 'they', 'he', 'our', 'their', 'your', 'its', 'and', 'but', 'or', 'of', 'to'],
  ...['from', 'with', 'at', 'if', 'as', "i'm", "it's", "we're", "they're", "don't"],
]);

/** English words without hesitations, and without repetitions of one word where they can only be stutters. */
export function withoutDisfluencies(words: readonly RecognizedWord[]): readonly RecognizedWord[] {
  const fluent = words.filter(({ value }) => !DISFLUENCIES.has(value));
  // The last time is the one that goes on.
  return fluent.filter(({ value }, index) => !(STUTTERED.has(value) && fluent[index + 1]?.value === value));
}

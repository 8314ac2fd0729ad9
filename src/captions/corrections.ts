import type { WordAlignment, WordPair } from './alignWords.ts';
import type { Heard } from './captionWord.ts';

/** Words that were shown and turned out to be others. */
export interface Correction {
  /** Index of a shown word that is wrong, or beside which one is missing. */
  readonly shown: number;
  /** The right words. */
  readonly words: readonly string[];
  /** Whether it stands at the end of what is shown, so that speech goes on from it. */
  readonly last: boolean;
}

/**
 * What has to be corrected in words that are shown. Words that should not be there, and other spellings of the same
 * letters (case, marks, hyphens), are let be; where a word is missing the one after it is repeated.
 */
export function correctionsOf(
  { pairs }: WordAlignment,
  shown: readonly Heard[],
  heard: readonly Heard[],
): readonly Correction[] {
  const corrections: Correction[] = [];
  let start = 0;
  while (start < pairs.length) {
    let end = start;
    while (end < pairs.length && !isRight(pairs[end]!, shown, heard)) end++;
    const right = wordsIn(heard, pairs.slice(start, end), 'heard');
    const wrong = wordsIn(shown, pairs.slice(start, end), 'shown');
    if (right.length > 0 && letters(wrong) !== letters(right)) {
      const next = pairs[end];
      const words = wrong.length === 0 && next ? [...right, heard[next.heard!]!] : right;
      const at = pairs.slice(start).find(pair => pair.shown !== undefined)!;
      corrections.push({
        shown: at.shown!,
        words: words.map(word => word.text),
        last: end === pairs.length,
      });
    }
    start = end + 1;
  }
  return corrections;
}

function isRight(pair: WordPair, shown: readonly Heard[], heard: readonly Heard[]): boolean {
  if (pair.shown === undefined || pair.heard === undefined) return false;
  return shown[pair.shown]!.key === heard[pair.heard]!.key;
}

function wordsIn(
  words: readonly Heard[],
  pairs: readonly WordPair[],
  side: keyof WordPair,
): readonly Heard[] {
  return pairs.flatMap(pair => (pair[side] === undefined ? [] : [words[pair[side]]!]));
}

function letters(words: readonly Heard[]): string {
  const text = words.map(word => word.key).join('');
  return text.replace(/[^\p{L}\p{N}\p{M}\p{S}]/gu, '');
}

import type { RecognizedWord } from '../recognizer.ts';
import { withCapital } from './plainSentences.ts';

/** "um", "uhh", "erm", "hmm" and the like; "mhm", "uh-huh", "huh", "oh" and "ah" carry meaning and stay. */
const HESITATION = /^(?:u+h*m+|u+h+|erm*|h+m+|m{2,})$/;

/**
 * Words that nobody says twice in a row on purpose: "the the". "That that", "had had", "very very", "no no", "my my" and
 * the letters of "a a" may be meant, and stay.
 */
const STUTTERED: ReadonlySet<string> = new Set([
  ...['an', 'the', 'i', 'we', 'they', 'he', 'our', 'their', 'your', 'its', 'and', 'but', 'or', 'of', 'to'],
  ...['from', 'with', 'at', 'if', 'as', "i'm", "it's", "we're", "they're", "don't"],
]);

/** Whether an English word is only a sound of hesitation. */
export function isHesitation(value: string): boolean {
  return HESITATION.test(value);
}

/** English words without hesitations, and without repetitions of one word where they can only be stutters. */
export function withoutDisfluencies(words: readonly RecognizedWord[]): readonly RecognizedWord[] {
  const fluent = leaveOut(words, ({ value }) => isHesitation(value), withoutHesitation);
  // The last time is the one that goes on.
  return leaveOut(fluent, ({ value }, index) => STUTTERED.has(value) && fluent[index + 1]?.value === value);
}

/** @param writtenBefore how the last word before one that is left out is written without it */
function leaveOut(
  words: readonly RecognizedWord[],
  isLeftOut: (word: RecognizedWord, index: number) => boolean,
  writtenBefore?: (kept: readonly RecognizedWord[], left: RecognizedWord) => string | undefined,
): readonly RecognizedWord[] {
  const kept: RecognizedWord[] = [];
  let opens = false;
  for (const [index, word] of words.entries()) {
    if (isLeftOut(word, index)) {
      opens ||= endsSentence(kept.at(-1));
      const written = writtenBefore?.(kept, word);
      if (written !== undefined) kept.push({ ...kept.pop()!, written });
    } else {
      kept.push(opens && word.written ? { ...word, written: withCapital(word.written) } : word);
      opens = false;
    }
  }
  return kept;
}

/**
 * The last of some words as the engine would have written it without the hesitation behind it: a full stop of that ends
 * the sentence here, and of the two commas around it neither is left: "it is, um, cold" becomes "it is cold". After the
 * first word of a sentence one stays: "Well, um, no".
 */
function withoutHesitation(kept: readonly RecognizedWord[], left: RecognizedWord): string | undefined {
  const last = kept.at(-1);
  if (!last?.written || endsSentence(last)) return undefined;
  const plain = last.written.replace(/,$/, '');
  const end = /[.?!]+$/.exec(left.written ?? '');
  if (end) return plain + end[0];
  const isFirst = kept.length === 1 || endsSentence(kept.at(-2));
  return left.written?.endsWith(',') && !isFirst ? plain : undefined;
}

function endsSentence(word: RecognizedWord | undefined): boolean {
  return /[.?!]$/.test(word?.written ?? '');
}

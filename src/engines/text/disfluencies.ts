import { isHesitation, withCapital } from '../../transcript/text/words.ts';
import type { RecognizedWord } from '../recognizer.ts';

/**
 * Words that are never repeated on purpose: "the the". "That that", "had had", "very very", "no no", "my my"
 * and the letters of "a a" may be meant, and stay.
 */
const STUTTERED: ReadonlySet<string> = new Set([
  ...['an', 'the', 'i', 'we', 'they', 'he', 'our', 'their', 'your', 'its', 'and', 'but', 'or', 'of', 'to'],
  ...['from', 'with', 'at', 'if', 'as', "i'm", "it's", "we're", "they're", "don't"],
]);

/** Returns English words without hesitations and without stuttered repetitions. */
export function withoutDisfluencies(words: readonly RecognizedWord[]): readonly RecognizedWord[] {
  const fluent = leaveOut(words, ({ value }) => isHesitation(value), withoutHesitation);
  // The last repetition belongs to the next words.
  return leaveOut(fluent, ({ value }, index) => STUTTERED.has(value) && fluent[index + 1]?.value === value);
}

/** @param writtenBefore returns the new writing of the word before an omitted one */
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
 * Returns the last word as the engine would have written it without the hesitation after it. A full stop of
 * the hesitation ends the sentence here; of two commas around it none remains: "it is, um, cold" becomes "it
 * is cold". After the first word of a sentence a comma stays: "Well, um, no".
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

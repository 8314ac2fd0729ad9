import { RxscribeError } from '../../base/errors.ts';
import type { RecognizedWord, Recognizer } from '../recognizer.ts';

/**
 * Constants that turn the words of a recogniser of one language into evidence, measured by
 * `test/bench/engines/languages.ts`.
 */
export interface WordsCalibration {
  /** Mean confidence that is as common in the language as in others, 0 to 1. */
  readonly even: number;
  /** Log odds of the language for each unit of the mean confidence above `even`, for many words. */
  readonly slope: number;
  /** Number of words that carry half of the full evidence. */
  readonly halfWords: number;
}

const ABSENT: ReadonlySet<string> = new Set(['engine-missing', 'download']);

/** Words of the same speech by recognisers of several languages. */
export type RecognizedByLanguage = Readonly<Record<string, readonly RecognizedWord[]>>;

/**
 * Returns the log odds of a language given the words of its recogniser: above 0 for the language, below 0 for another one, 0
 * without words.
 *
 * Such a recogniser hears words in any language, but with low confidence. Each distinct word counts
 * once: repetitions get high confidence, also in loops on unintelligible speech.
 */
export function wordsEvidence(
  words: readonly RecognizedWord[],
  { even, slope, halfWords }: WordsCalibration,
): number {
  const confidences = new Map<string, number>();
  for (const { value, confidence } of words) {
    if (confidence !== undefined && !confidences.has(value)) confidences.set(value, confidence);
  }
  const { size } = confidences;
  if (size === 0) return 0;
  const sum = [...confidences.values()].reduce((total, each) => total + each, 0);
  return (slope * (sum - even * size)) / (size + halfWords);
}

/**
 * Returns the words that a recogniser hears in speech of any language, by each of its languages; none when it is not installed
 * or cannot be downloaded.
 *
 * @throws RxscribeError `engine-failed`, `unavailable`; the signal's reason
 */
export async function recognizeByLanguage(
  recognizer: Recognizer,
  samples: Int16Array,
  signal: AbortSignal,
): Promise<RecognizedByLanguage> {
  const recognized: Record<string, readonly RecognizedWord[]> = {};
  for (const language of recognizer.capabilities.languages) {
    try {
      const results = await recognizer.recognize([samples], { language, signal });
      recognized[language] = results.flatMap(({ words }) => words);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RxscribeError && ABSENT.has(error.code))) throw error;
    }
  }
  return recognized;
}

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
 * Returns the words that a recogniser of some languages hears in speech of any language, for each of them; none when it is not
 * installed or cannot be downloaded.
 *
 * @throws RxscribeError `engine-failed`, `unavailable`; the signal's reason
 */
export async function recognizeIn(
  languages: readonly string[],
  recognizer: Recognizer,
  samples: Int16Array,
  signal: AbortSignal,
): Promise<RecognizedByLanguage> {
  const recognized: Record<string, readonly RecognizedWord[]> = {};
  try {
    for (const language of languages) {
      const results = await recognizer.recognize([samples], { language, signal });
      recognized[language] = results.flatMap(({ words }) => words);
    }
    return recognized;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RxscribeError && isAbsent(error)) return recognized;
    throw error;
  }
}

function isAbsent({ code }: RxscribeError): boolean {
  return code === 'engine-missing' || code === 'download';
}

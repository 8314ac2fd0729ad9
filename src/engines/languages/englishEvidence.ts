import { RxscribeError } from '../../base/errors.ts';
import type { RecognizedWord, Recognizer } from '../recognizer.ts';

/**
 * Constants that turn the words of an English recogniser into evidence, measured by
 * `test/bench/engines/languages.ts`.
 */
export interface EnglishCalibration {
  /** Mean confidence that is as common in English as in other languages, 0 to 1. */
  readonly even: number;
  /** Log odds of English for each unit of the mean confidence above `even`, for many words. */
  readonly slope: number;
  /** Number of words that carry half of the full evidence. */
  readonly halfWords: number;
}

/**
 * Returns the log odds of English given the words of an English recogniser: above 0 for English, below 0 for
 * another language, 0 without words.
 *
 * Such a recogniser hears English words in any language, but with low confidence. Each distinct word counts
 * once: repetitions get high confidence, also in loops on unintelligible speech.
 */
export function englishEvidence(
  words: readonly RecognizedWord[],
  { even, slope, halfWords }: EnglishCalibration,
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
 * Returns the words that an English recogniser hears in speech of any language; undefined when the recogniser
 * is not installed or cannot be downloaded.
 *
 * @throws RxscribeError `engine-failed`, `unavailable`; the signal's reason
 */
export async function recognizeEnglish(
  recognizer: Recognizer,
  samples: Int16Array,
  signal: AbortSignal,
): Promise<readonly RecognizedWord[] | undefined> {
  try {
    const results = await recognizer.recognize([samples], { signal });
    return results.flatMap(({ words }) => words);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RxscribeError && isAbsent(error)) return undefined;
    throw error;
  }
}

function isAbsent({ code }: RxscribeError): boolean {
  return code === 'engine-missing' || code === 'download';
}

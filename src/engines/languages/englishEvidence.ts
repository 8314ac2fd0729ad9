import { RxscribeError } from '../../base/errors.ts';
import type { RecognizedWord, Recognizer } from '../recognizer.ts';

/** Constants that turn the words of an English recogniser into evidence; `test/bench/engines/languages.ts` measures whether it holds. */
export interface EnglishCalibration {
  /** The mean confidence that English has as often as other languages, 0 to 1. */
  readonly even: number;
  /** By how much a mean that is higher by 1 adds to the log odds of English, where words are many. */
  readonly slope: number;
  /** Words that count half of what many do. */
  readonly halfWords: number;
}

/**
 * Returns the log odds of English that the words of an English recogniser add: above 0 for English, below for another
 * language, 0 without words.
 *
 * Such a recogniser makes English of another language, but is not sure of it. Each word counts once: it is sure of what
 * it repeats, and of what it cannot make out it repeats the same.
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
 * Returns the words that an English recogniser hears in speech, in whatever language; undefined where the recogniser is
 * not there: not installed, or not to be fetched.
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

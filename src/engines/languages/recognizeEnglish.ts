import { RxscribeError } from '../../base/errors.ts';
import type { RecognizedWord, Recognizer } from '../recognizer.ts';

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

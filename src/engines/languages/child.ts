/** The process that compares speech with the words of each language, which blocks for seconds. */
import { serveWork } from '../process/serveWork.ts';
import { LANGUAGE_WORDS } from './languageWords.ts';
import { createWordLoopDecoder, type TimedWordFit } from './wordLoopDecoder.ts';

export interface LanguageMethods {
  /** Returns a score for each of the languages, of speech that is mono at 16 kHz. */
  compare(samples: Int16Array, languages: readonly string[]): Readonly<Record<string, TimedWordFit>>;
}

serveWork<void, LanguageMethods>(async () => {
  const decoder = await createWordLoopDecoder(LANGUAGE_WORDS);
  return () => ({ compare: decoder.hear });
});

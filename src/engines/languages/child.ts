/** The process that compares speech with the words of each language, which blocks for seconds. */
import { serveWork } from '../process/serveWork.ts';
import { readLanguages } from './soundingWords.ts';
import { createWordLoopDecoder, type WordFit } from './wordLoopDecoder.ts';

export interface LanguageMethods {
  /** Returns a score for each language, of speech that is mono at 16 kHz. */
  compare(samples: Int16Array): Readonly<Record<string, WordFit>>;
}

serveWork<void, LanguageMethods>(async () => {
  const decoder = await createWordLoopDecoder(await readLanguages());
  return () => ({ compare: samples => decoder.hear(samples) });
});

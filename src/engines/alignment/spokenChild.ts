/** The process that times the words of one short piece of audio after another. */
import { serveWork } from '../process/serveWork.ts';
import type { TimedWord } from './pieceSearch.ts';
import { createSpokenSearch } from './spokenSearch.ts';

export interface SpokenMethods {
  /** Returns the times of words that are spoken in audio, mono at 16 kHz. */
  find(audio: Int16Array, words: readonly string[]): Promise<readonly TimedWord[]>;
}

/** Milliseconds after the first answer before the process learns to pronounce, so that the answer leaves first. */
const LEARN_AFTER_MS = 100;

serveWork<void, SpokenMethods>(() => {
  const search = createSpokenSearch();
  let isLearning = false;
  return () => ({
    async find(audio, words) {
      const found = await search.find(audio, words);
      if (!isLearning) setTimeout(search.learn, LEARN_AFTER_MS);
      isLearning = true;
      return found;
    },
  });
});

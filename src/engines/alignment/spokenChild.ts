/** The process that times the words of one short piece of audio after another. */
import { serveWork } from '../process/serveWork.ts';
import type { TimedWord } from './pieceSearch.ts';
import { createSpokenSearch } from './spokenSearch.ts';

export interface SpokenMethods {
  /** Returns the times of words that are spoken in audio, mono at 16 kHz. */
  find(audio: Int16Array, words: readonly string[]): Promise<readonly TimedWord[]>;
}

/** Milliseconds after an answer before the process learns to pronounce: what follows at once comes first. */
const LEARN_AFTER_MS = 1000;

serveWork<void, SpokenMethods>(() => {
  const search = createSpokenSearch();
  let learning: NodeJS.Timeout | undefined;
  return () => ({
    async find(audio, words) {
      clearTimeout(learning);
      const found = await search.find(audio, words);
      learning = setTimeout(search.learn, LEARN_AFTER_MS);
      return found;
    },
  });
});

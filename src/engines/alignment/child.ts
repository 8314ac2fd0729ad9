/** The process that aligns one recording, which takes minutes of blocking work. */
import { serveWork } from '../process/serveWork.ts';
import { createAlignment } from './alignment.ts';
import { createAudioFile } from './audioFile.ts';
import type { TimedWord } from './pieceSearch.ts';
import type { RecognizedPart } from './tokens.ts';

export interface AlignmentMethods {
  /** Appends audio, mono at 16 kHz. */
  write(samples: Int16Array): void;
  /**
   * Returns the times of a text's words, given the recognised words of each utterance. To be called once,
   * after all audio.
   */
  align(
    words: readonly string[],
    utterances: readonly (readonly RecognizedPart[])[],
  ): Promise<readonly TimedWord[]>;
}

serveWork<void, AlignmentMethods>(() => () => {
  const audio = createAudioFile();
  return {
    write: audio.write,
    async align(words, utterances) {
      const align = await createAlignment();
      return align(words, utterances, audio.read);
    },
    [Symbol.dispose]: audio[Symbol.dispose],
  };
});

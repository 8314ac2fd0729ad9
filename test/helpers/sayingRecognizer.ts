import { map } from 'rxjs';
import type { RecognizerResult } from '../../src/engines/recognizer.ts';
import { LEVELS_OF_SPEAKER } from './scriptedDiarizer.ts';
import { createScriptedRecognizer, type ScriptedRecognizer } from './scriptedRecognizer.ts';

/** For tests only: as the scripted recogniser, but levels 1, 101 and so on are the first of these words, 2 the second. */
export function createSayingRecognizer(words: readonly string[]): ScriptedRecognizer {
  const scripted = createScriptedRecognizer();
  const said = (result: RecognizerResult): RecognizerResult => ({
    ...result,
    words: result.words.map(word => {
      const level = Number(word.value.slice(1)) % LEVELS_OF_SPEAKER;
      return { ...word, value: words[level - 1] ?? word.value };
    }),
  });
  return {
    ...scripted,
    async open(options) {
      const session = await scripted.open(options);
      return { ...session, results$: session.results$.pipe(map(said)) };
    },
    recognize: async (audio, options) => (await scripted.recognize(audio, options)).map(said),
  };
}

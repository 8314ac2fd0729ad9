import { withAbort } from '../../src/base/wait/withTimeout.ts';
import type { LanguageConfidence, LanguageIdentifier } from '../../src/engines/languageIdentifier.ts';
import { SCRIPTED_RATE, scriptedWindows } from './scriptedWindows.ts';

/** In the order of the last digit of a level, counted from 1. */
const LANGUAGES = ['en', 'de', 'fr'] as const;
/** Language that it identifies for a recording. */
export const IDENTIFIED_SECONDS = 3;

/**
 * For tests only: a level that ends in 1 is English, in 2 German, in 3 French; others are no language. Of the first three
 * seconds, its confidences are the shares; in silence it hears none.
 */
export function createScriptedLanguageIdentifier(): LanguageIdentifier {
  return {
    name: 'scripted (tests only)',
    languages: LANGUAGES,
    sampleRate: SCRIPTED_RATE,
    identify: (audio, { signal } = {}) => withAbort(sharesIn(audio, signal), signal),
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

async function sharesIn(
  audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
  signal?: AbortSignal,
): Promise<readonly LanguageConfidence[]> {
  const counts = LANGUAGES.map(language => ({ language, windows: 0 }));
  let spoken = 0;
  for await (const { endFrame, level } of scriptedWindows(audio, signal)) {
    if (level > 0) spoken++;
    const count = level > 0 && counts[(level % 10) - 1];
    if (count) count.windows++;
    if (endFrame >= IDENTIFIED_SECONDS * SCRIPTED_RATE) break;
  }
  return counts
    .filter(({ windows }) => windows > 0)
    .map(({ language, windows }) => ({ language, confidence: windows / spoken }))
    .sort((one, other) => other.confidence - one.confidence);
}

import { createScriptedAligner } from './scriptedAligner.ts';
import { createScriptedDiarizer } from './scriptedDiarizer.ts';
import { createScriptedLanguageIdentifier } from './scriptedLanguageIdentifier.ts';
import { createScriptedSentimentAnalyzer } from './scriptedSentimentAnalyzer.ts';

/** Every engine beside the recogniser, by script. */
export const scriptedEngines = () => ({
  aligner: createScriptedAligner(),
  diarizer: createScriptedDiarizer(),
  languageIdentifier: createScriptedLanguageIdentifier(),
  sentimentAnalyzer: createScriptedSentimentAnalyzer(),
});

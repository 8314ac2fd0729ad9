/** The process that holds a Whisper model, so that a broken model crashes only this process. */
import { serveWork } from '../process/serveWork.ts';
import { type LanguageProbabilities, loadWhisperLanguages } from './whisperLanguages.ts';
import type { WhisperSetup } from './whisperSetup.ts';

export interface WhisperMethods {
  /** Returns the probabilities of languages in up to 30 s of audio at 16 kHz. */
  identify(audio: Int16Array): Promise<LanguageProbabilities>;
}

serveWork<WhisperSetup, WhisperMethods>(async setup => {
  const identify = await loadWhisperLanguages(setup);
  return () => ({ identify });
});

import type { ModelDirectory } from './modelDirectory.ts';

/** Whether a recogniser hears whole utterances, which a voice detector has to find; others find them themselves. */
export function takesVoiceDetector(recognizer: ModelDirectory | undefined): boolean {
  return recognizer !== undefined && /^(offline-|whisper$)/.test(recognizer.kind);
}

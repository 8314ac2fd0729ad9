import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { wav } from '../../helpers/wavBytes.ts';

/** Returns a WAV file of words for the scripted recognizer: 100 ms per level. */
export function scriptedWav(levels: readonly number[]): Uint8Array {
  const { buffer } = scriptedSpeech(levels);
  return wav(new Uint8Array(buffer));
}

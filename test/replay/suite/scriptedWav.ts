import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { wav } from '../../helpers/wavBytes.ts';

/** A WAV file of words for the scripted recogniser: 100 ms of each level. */
export function scriptedWav(levels: readonly number[]): Uint8Array {
  const { buffer } = scriptedSpeech(levels);
  return wav(new Uint8Array(buffer));
}

import type { RecognizerResult } from '../../engines/recognizer.ts';

/** Seconds before the end of the audio within which a word may be cut. */
const CUT_SECONDS = 0.15;

/**
 * Returns a final without a last word that reaches the end of the audio, where the word may be cut; a partial without words
 * when nothing else remains.
 *
 * @param endFrame end of the audio
 * @param sampleRate Hz
 */
export function withoutCutWord(
  result: RecognizerResult,
  endFrame: number,
  sampleRate: number,
): RecognizerResult {
  if (result.type === 'partial' || endFrame - result.endFrame >= CUT_SECONDS * sampleRate) return result;
  // Words that are written as one, such as `21`, are left out together.
  const words = result.words.slice(
    0,
    Math.max(
      0,
      result.words.findLastIndex(({ written }) => written !== ''),
    ),
  );
  const last = words.at(-1);
  return last
    ? { ...result, words, endFrame: last.endFrame, cut: true }
    : { type: 'partial', startFrame: endFrame, endFrame, words };
}

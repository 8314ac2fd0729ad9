/** Passage from an utterance that the length limit has cut to the next one. */

import type { DecodedWord } from './decodedWords.ts';
import type { KnownSpeech } from './decodeUtterance.ts';
import { LEAD_FRAMES } from './model.ts';
import { encodeText } from './tokens.ts';

/** Audio before a cut that is decoded again with the next utterance, at most. */
export const KNOWN_FRAMES = 2.5 * 16_000;
/** Marks behind a word. */
const MARKS = /[^\p{L}\p{N}%'’]+$/u;

/**
 * Returns the words before a cut, from the words of the audio around it. Without words behind the cut, the last one has no mark:
 * the model ends all audio with a full stop.
 */
export function wordsBefore(cutFrame: number, around: readonly DecodedWord[]): readonly DecodedWord[] {
  const count = around.filter(({ startFrame, endFrame }) => startFrame + endFrame < 2 * cutFrame).length;
  const words = around.slice(0, count);
  if (count < around.length) return words;
  const at = words.findLastIndex(({ written }) => written !== '');
  return words.map((word, index) =>
    index === at ? { ...word, written: word.written.replace(MARKS, '') } : word,
  );
}

/** Returns the last words before a cut, in frames of the stream: the beginning of the next utterance. Undefined without words. */
export function knownBefore(cutFrame: number, words: readonly DecodedWord[]): KnownSpeech | undefined {
  const first = words.findIndex(
    ({ startFrame, written }) => written !== '' && startFrame - LEAD_FRAMES >= cutFrame - KNOWN_FRAMES,
  );
  if (first < 0) return undefined;
  const from = Math.max(words[first - 1]?.endFrame ?? 0, words[first]!.startFrame - LEAD_FRAMES);
  const text = words.slice(first).flatMap(({ written }) => written || []);
  return { from, tokens: encodeText(text.join(' ')) };
}

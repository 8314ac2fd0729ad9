import type { RecognizedWord } from '../../../../src/engines/recognizer.ts';
import { alignWords } from '../../../../src/replay/align/alignWords.ts';
import { ruledWords } from '../../parts/scoredText.ts';

/** A recognised word with its confidence, and whether it is right. */
export interface JudgedWord {
  readonly confidence: number;
  readonly isRight: boolean;
}

/**
 * Judges words by the reference, compared by `english-1`. Several compared as one have their lowest
 * confidence.
 */
export function judgeWords(
  reference: readonly string[],
  heard: readonly RecognizedWord[],
): readonly JudgedWord[] {
  let at = 0;
  const places = heard.map(({ value, confidence = 0 }) => {
    const place = { start: at, end: at + value.length, confidence };
    at = place.end + 1;
    return place;
  });
  const ruled = ruledWords(heard.map(({ value }) => value).join(' '));
  const said = ruledWords(reference.join(' ')).map(({ word }) => word);
  const steps = alignWords(
    said,
    ruled.map(({ word }) => word),
  );
  return steps.flatMap(step => {
    if (step.type === 'deletion') return [];
    const { start, end } = ruled[step.hypothesis]!;
    const parts = places.filter(place => place.start < end && place.end > start);
    const confidence = Math.min(...parts.map(part => part.confidence));
    return [{ confidence, isRight: step.type === 'hit' }];
  });
}

/**
 * Returns the area under the curve: the probability that a right word has more confidence than a wrong one;
 * ties count half.
 */
export function areaUnderCurve(words: readonly JudgedWord[]): number {
  const right = words.filter(({ isRight }) => isRight);
  const wrong = words.filter(({ isRight }) => !isRight);
  let sum = 0;
  for (const one of right) {
    for (const other of wrong) sum += (1 + Math.sign(one.confidence - other.confidence)) / 2;
  }
  return sum / (right.length * wrong.length);
}

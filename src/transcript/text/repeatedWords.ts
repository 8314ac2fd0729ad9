import type { TranscriptElement } from '../model/model.ts';
import { wordKey } from './tokens.ts';

/** Maximum difference of the times of one word between two runs, in seconds. */
export const SAME_WORD_SECONDS = 0.3;

/** A word with times: its index among its elements, and its normalised text. */
export interface TimedWord {
  readonly index: number;
  readonly key: string;
  readonly ts: number;
  readonly endTs: number;
}

/** The same word in two runs. */
export interface WordPair {
  readonly earlier: TimedWord;
  readonly later: TimedWord;
}

/** Returns the words that have times. */
export function timedWords(elements: readonly TranscriptElement[]): readonly TimedWord[] {
  return elements.flatMap((element, index) => {
    if (element.type !== 'text' || element.ts === undefined) return [];
    return [{ index, key: wordKey(element.value), ts: element.ts, endTs: element.endTs ?? element.ts }];
  });
}

export const inOrder = (words: readonly TimedWord[]) => words.toSorted((left, right) => left.ts - right.ts);

/** Returns the middle of a word in seconds, which decides where the word belongs. */
export const middleOf = ({ ts, endTs }: Pick<TimedWord, 'ts' | 'endTs'>) => (ts + endTs) / 2;

/** Returns the seconds between the middles of two words. */
export const distanceOf = (left: TimedWord, right: TimedWord) => Math.abs(middleOf(left) - middleOf(right));

/** Returns whether two words overlap by at least half of the shorter one. */
export function overlapByHalf(left: TimedWord, right: TimedWord): boolean {
  const overlap = Math.min(left.endTs, right.endTs) - Math.max(left.ts, right.ts);
  return overlap * 2 >= Math.min(left.endTs - left.ts, right.endTs - right.ts);
}

/**
 * Pairs the words that two runs have in common: the same text, except for case and punctuation, in the same order. Maximises a
 * score of pairs that decreases with their distance in time: for repeated words, one pair at the same time outweighs two at
 * distant times.
 *
 * @param mayBeSame returns whether two words of the same text may be the same word, by their times
 */
export function repeatedWords(
  earlier: readonly TimedWord[],
  later: readonly TimedWord[],
  mayBeSame: (earlier: TimedWord, later: TimedWord) => boolean,
): readonly WordPair[] {
  const worthOf = (left: TimedWord, right: TimedWord) =>
    left.key === right.key && mayBeSame(left, right) ? worthAt(distanceOf(left, right)) : 0;
  /** The best score from each word of both runs on. */
  const worths = [new Float64Array(later.length + 1)];
  for (const word of earlier.toReversed()) {
    const [next] = worths as [Float64Array];
    const here = new Float64Array(later.length + 1);
    for (let column = later.length - 1; column >= 0; column--) {
      const pair = worthOf(word, later[column]!);
      const rest = Math.max(next[column]!, here[column + 1]!);
      here[column] = pair > 0 ? Math.max(rest, next[column + 1]! + pair) : rest;
    }
    worths.unshift(here);
  }
  const pairs: WordPair[] = [];
  for (let row = 0, column = 0; row < earlier.length && column < later.length; ) {
    const worth = worths[row]![column]!;
    if (worth === worths[row + 1]![column]!) row++;
    else if (worth === worths[row]![column + 1]!) column++;
    else pairs.push({ earlier: earlier[row++]!, later: later[column++]! });
  }
  return pairs;
}

/** Returns the score of a pair of words by their distance: 1 at no distance, 1/2 at {@link SAME_WORD_SECONDS}. */
const worthAt = (seconds: number) => 1 / (1 + seconds / SAME_WORD_SECONDS);

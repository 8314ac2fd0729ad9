import type { TranscriptElement } from '../model/model.ts';
import { wordKey } from './tokens.ts';

/** The times of one word, as heard in two runs, differ by no more than this. */
export const SAME_WORD_SECONDS = 0.3;

/** A word that can be compared: where it stands among its elements, what it says, when. */
export interface HeardWord {
  readonly index: number;
  readonly key: string;
  readonly ts: number;
  readonly endTs: number;
}

/** One word, as two runs heard it. */
export interface WordPair {
  readonly earlier: HeardWord;
  readonly heard: HeardWord;
}

/** The words among elements that have times. */
export function heardWords(elements: readonly TranscriptElement[]): readonly HeardWord[] {
  return elements.flatMap((element, index) => {
    if (element.type !== 'text' || element.ts === undefined) return [];
    return [{ index, key: wordKey(element.value), ts: element.ts, endTs: element.endTs ?? element.ts }];
  });
}

export const inTime = (words: readonly HeardWord[]) => words.toSorted((left, right) => left.ts - right.ts);

/** Half way through a word: where that lies, the word belongs. */
export const middleOf = ({ ts, endTs }: Pick<HeardWord, 'ts' | 'endTs'>) => (ts + endTs) / 2;

/** Seconds between the middles of two words. */
export const distanceOf = (left: HeardWord, right: HeardWord) => Math.abs(middleOf(left) - middleOf(right));

/** Whether two words share half of the time of the shorter one. */
export function overlapByHalf(left: HeardWord, right: HeardWord): boolean {
  const overlap = Math.min(left.endTs, right.endTs) - Math.max(left.ts, right.ts);
  return overlap * 2 >= Math.min(left.endTs - left.ts, right.endTs - right.ts);
}

/**
 * Words that two runs have both: the same text, case and marks aside, in the same order. As many as can be, as close in
 * time as can be: of words that are said again and again, one fits better at its own time than two at others.
 *
 * @param mayBeSame whether two words of the same text may be one, by their times
 */
export function repeatedWords(
  earlier: readonly HeardWord[],
  heard: readonly HeardWord[],
  mayBeSame: (earlier: HeardWord, heard: HeardWord) => boolean,
): readonly WordPair[] {
  const worthOf = (left: HeardWord, right: HeardWord) =>
    left.key === right.key && mayBeSame(left, right) ? worthAt(distanceOf(left, right)) : 0;
  const worths = Array.from({ length: earlier.length + 1 }, () => new Float64Array(heard.length + 1));
  for (let row = earlier.length - 1; row >= 0; row--) {
    const [here, next] = [worths[row]!, worths[row + 1]!];
    for (let column = heard.length - 1; column >= 0; column--) {
      const pair = worthOf(earlier[row]!, heard[column]!);
      const rest = Math.max(next[column]!, here[column + 1]!);
      here[column] = pair > 0 ? Math.max(rest, next[column + 1]! + pair) : rest;
    }
  }
  const pairs: WordPair[] = [];
  for (let row = 0, column = 0; row < earlier.length && column < heard.length; ) {
    const worth = worths[row]![column]!;
    if (worth === worths[row + 1]![column]!) row++;
    else if (worth === worths[row]![column + 1]!) column++;
    else pairs.push({ earlier: earlier[row++]!, heard: heard[column++]! });
  }
  return pairs;
}

/** What a pair of words so many seconds apart is worth: of two that are just the same word, half. */
const worthAt = (seconds: number) => 1 / (1 + seconds / SAME_WORD_SECONDS);

import type { TranscriptElement } from './model.ts';
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

/** The words among elements that have times. */
export function heardWords(elements: readonly TranscriptElement[]): readonly HeardWord[] {
  return elements.flatMap((element, index) => {
    if (element.type !== 'text' || element.ts === undefined) return [];
    return [{ index, key: wordKey(element.value), ts: element.ts, endTs: element.endTs ?? element.ts }];
  });
}

/** Half way through a word: where that lies, the word belongs. */
export const middleOf = ({ ts, endTs }: Pick<HeardWord, 'ts' | 'endTs'>) => (ts + endTs) / 2;

/**
 * Of words that were heard, those that an earlier run has already: the same text, case and marks aside, in the same
 * order at the same time. Where a word lies in audio that the earlier run was given, that is within
 * {@link SAME_WORD_SECONDS}; elsewhere they have to overlap by half, as the word may be another one that says the same.
 *
 * @param isCovered whether the earlier run was given the audio at a time in seconds
 */
export function repeatedWords(
  earlier: readonly HeardWord[],
  heard: readonly HeardWord[],
  isCovered: (seconds: number) => boolean,
): readonly HeardWord[] {
  const isSame = (left: HeardWord, right: HeardWord) =>
    left.key === right.key &&
    (overlapByHalf(left, right) ||
      (isCovered(middleOf(right)) && Math.abs(middleOf(left) - middleOf(right)) <= SAME_WORD_SECONDS));
  return longestMatch(earlier, heard, isSame);
}

/** Whether two words share half of the time of the shorter one. */
export function overlapByHalf(left: HeardWord, right: HeardWord): boolean {
  const overlap = Math.min(left.endTs, right.endTs) - Math.max(left.ts, right.ts);
  return overlap * 2 >= Math.min(left.endTs - left.ts, right.endTs - right.ts);
}

/** The words of `right` that most pairs in order have (longest common subsequence). */
function longestMatch<T>(
  left: readonly T[],
  right: readonly T[],
  isSame: (left: T, right: T) => boolean,
): readonly T[] {
  const pairs = left.map(() => new Array<number>(right.length + 1).fill(0));
  const pairsFrom = (row: number, column: number) => pairs[row]?.[column] ?? 0;
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      pairs[row]![column] = isSame(left[row]!, right[column]!)
        ? pairsFrom(row + 1, column + 1) + 1
        : Math.max(pairsFrom(row + 1, column), pairsFrom(row, column + 1));
    }
  }
  const matched: T[] = [];
  for (let row = 0, column = 0; pairsFrom(row, column) > 0; ) {
    if (isSame(left[row]!, right[column]!)) {
      matched.push(right[column]!);
      row++;
      column++;
    } else if (pairsFrom(row + 1, column) === pairsFrom(row, column)) row++;
    else column++;
  }
  return matched;
}

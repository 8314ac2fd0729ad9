import { distanceOf, middleOf, repeatedWords, type TimedWord } from '../text/repeatedWords.ts';

/** Maximum difference of the clocks of two runs, in seconds; words further apart are not compared. */
export const MAX_SHIFT_SECONDS = 0.5;
/** Least number of word pairs for an estimate. */
const LEAST_PAIRS = 3;
/** Maximum difference of agreeing pairs from the median, in seconds. */
const AGREEING_SECONDS = 0.1;

/**
 * Estimates by how many seconds the words of a run are later than the same words of an earlier run: the median over the words
 * that both have. Returns 0 when fewer than three quarters of them agree.
 */
export function clockShift(earlier: readonly TimedWord[], later: readonly TimedWord[]): number {
  const pairs = repeatedWords(earlier, later, (left, right) => distanceOf(left, right) <= MAX_SHIFT_SECONDS);
  const shifts = pairs
    .map(pair => middleOf(pair.later) - middleOf(pair.earlier))
    .sort((left, right) => left - right);
  const median = shifts[shifts.length >> 1] ?? 0;
  const agreeing = shifts.filter(shift => Math.abs(shift - median) <= AGREEING_SECONDS);
  return agreeing.length >= LEAST_PAIRS && agreeing.length * 4 >= shifts.length * 3 ? median : 0;
}

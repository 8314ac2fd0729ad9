import { distanceOf, middleOf, type TimedWord } from '../text/repeatedWords.ts';

/** Maximum difference of the clocks of two runs, in seconds; words further apart are not compared. */
export const MAX_SHIFT_SECONDS = 0.5;
/** Least number of word pairs for an estimate. */
const LEAST_PAIRS = 3;
/** Maximum difference of agreeing pairs from the median, in seconds. */
const AGREEING_SECONDS = 0.1;

/**
 * Estimates by how many seconds the words of a run are later than the same words of an earlier run: the median over the words
 * that both have once within {@link MAX_SHIFT_SECONDS}; a repeated word fits many offsets. Returns 0 when fewer than three
 * quarters of them agree.
 */
export function clockShift(earlier: readonly TimedWord[], later: readonly TimedWord[]): number {
  const shifts = earlier
    .flatMap(word => {
      const [again, ...more] = sameNear(word, later);
      const isClear = again && more.length === 0 && sameNear(again, earlier).length === 1;
      return isClear ? [middleOf(again) - middleOf(word)] : [];
    })
    .sort((left, right) => left - right);
  const median = shifts[shifts.length >> 1] ?? 0;
  const agreeing = shifts.filter(shift => Math.abs(shift - median) <= AGREEING_SECONDS);
  return agreeing.length >= LEAST_PAIRS && agreeing.length * 4 >= shifts.length * 3 ? median : 0;
}

const sameNear = (word: TimedWord, others: readonly TimedWord[]) =>
  others.filter(other => other.key === word.key && distanceOf(word, other) <= MAX_SHIFT_SECONDS);

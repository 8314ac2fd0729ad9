import { distanceOf, type HeardWord, middleOf, repeatedWords } from '../text/repeatedWords.ts';

/** The clocks of two runs differ by less than this; words further apart are not compared. */
export const MAX_SHIFT_SECONDS = 0.5;
/** Fewer words say nothing about clocks. */
const LEAST_PAIRS = 3;
/** Words of one shift are no further from it. */
const AGREEING_SECONDS = 0.1;

/**
 * By how many seconds all that was heard comes later than the same words of an earlier run: the median over words that
 * both have. 0 where most of them do not agree.
 */
export function clockShift(earlier: readonly HeardWord[], heard: readonly HeardWord[]): number {
  const pairs = repeatedWords(earlier, heard, (left, right) => distanceOf(left, right) <= MAX_SHIFT_SECONDS);
  const shifts = pairs
    .map(pair => middleOf(pair.heard) - middleOf(pair.earlier))
    .sort((left, right) => left - right);
  const median = shifts[shifts.length >> 1] ?? 0;
  const agreeing = shifts.filter(shift => Math.abs(shift - median) <= AGREEING_SECONDS);
  return agreeing.length >= LEAST_PAIRS && agreeing.length * 4 >= shifts.length * 3 ? median : 0;
}

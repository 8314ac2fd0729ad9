import type { HeardWord } from '../text/repeatedWords.ts';

/** Of words those that are no more than some seconds from any of others. Both in order of their starts; in linear time. */
export function wordsNear(
  words: readonly HeardWord[],
  others: readonly HeardWord[],
  seconds: number,
): readonly HeardWord[] {
  let at = 0;
  /** The latest end of others that start before the word at hand does. */
  let endTs = Number.NEGATIVE_INFINITY;
  return words.filter(word => {
    while (at < others.length && others[at]!.ts <= word.ts) endTs = Math.max(endTs, others[at++]!.endTs);
    const next = others[at];
    return word.ts - endTs <= seconds || (next !== undefined && next.ts - word.endTs <= seconds);
  });
}

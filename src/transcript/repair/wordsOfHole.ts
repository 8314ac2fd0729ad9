import type { LiveEvent } from '../model/events.ts';
import {
  distanceOf,
  middleOf,
  overlapByHalf,
  repeatedWords,
  SAME_WORD_SECONDS,
  type TimedWord,
  type WordPair,
} from '../text/repeatedWords.ts';

/** A hole and the transcript around it. Times are in seconds of the live transcript. */
export interface HolePlace {
  /** Start of the audio of the job, which covers the hole and its margins. */
  readonly audioTs: number;
  /** Start of the hole. */
  readonly ts: number;
  readonly endTs: number;
  /** Finals, repairs and other holes in the margins, of the same channel; other events are ignored. */
  readonly beside: readonly LiveEvent[];
}

/**
 * Returns the words of a job that belong in the hole: words whose middle is in it, and words close to it that the live
 * transcript does not have. Words that the live transcript already has are left out.
 *
 * @param live words of the live transcript, with the same clock; both lists in order of their starts
 */
export function wordsOfHole(
  jobWords: readonly TimedWord[],
  live: readonly TimedWord[],
  place: HolePlace,
): readonly TimedWord[] {
  const near = wordsNear(jobWords, live, SAME_WORD_SECONDS);
  const beside = wordsNear(live, near, SAME_WORD_SECONDS);
  const pairs = repeatedWords(beside, near, sameWordRule(jobWords, place));
  const known = new Set(pairs.map(pair => pair.later));
  const repeated = new Set(pairs.map(({ earlier }) => earlier));
  const unmatched = beside.filter(word => !repeated.has(word));
  const isClose = closeToHole(pairs, place);
  const isMissing = (word: TimedWord) =>
    !isInOpenHole(middleOf(word), place) && !unmatched.some(other => overlapByHalf(word, other));
  return jobWords.filter(word => {
    if (known.has(word)) return false;
    const middle = middleOf(word);
    return (middle >= place.ts && middle < place.endTs) || (isClose(word) && isMissing(word));
  });
}

/**
 * Returns a predicate for words of the same text that are the same word. Words entirely within the audio of the job must be at
 * about the same time; other words must overlap by half, since the job may have found a repetition of the word instead.
 */
function sameWordRule(jobWords: readonly TimedWord[], { audioTs, ts, endTs }: HolePlace) {
  // Both margins are of equal length, except at the start of the audio.
  const audioEndTs = jobWords.reduce((end, word) => Math.max(end, word.endTs), endTs + ts - audioTs);
  return (live: TimedWord, word: TimedWord) =>
    overlapByHalf(live, word) ||
    (live.ts >= audioTs && live.endTs <= audioEndTs && distanceOf(live, word) <= SAME_WORD_SECONDS);
}

/** Returns a predicate for words that extend into the hole, or directly follow a known word beside it within tolerance. */
function closeToHole(pairs: readonly WordPair[], { ts, endTs }: HolePlace): (word: TimedWord) => boolean {
  const last = pairs.findLast(({ earlier }) => middleOf(earlier) < ts)?.later.index ?? Infinity;
  const next = pairs.find(({ earlier }) => middleOf(earlier) >= endTs)?.later.index ?? -1;
  return word =>
    word.endTs > (word.index > last ? ts - SAME_WORD_SECONDS : ts) &&
    word.ts < (word.index < next ? endTs + SAME_WORD_SECONDS : endTs);
}

/** Returns whether a time is in a hole that has not been repaired. */
function isInOpenHole(seconds: number, { beside }: HolePlace): boolean {
  const isWithin = (type: LiveEvent['type']) =>
    beside.some(
      event => event.type === type && 'ts' in event && seconds >= event.ts && seconds < event.endTs,
    );
  return isWithin('hole') && !isWithin('repair');
}

/** Returns the words within so many seconds of any other word, in linear time. Both lists are in order of their starts. */
export function wordsNear(
  words: readonly TimedWord[],
  others: readonly TimedWord[],
  seconds: number,
): readonly TimedWord[] {
  let at = 0;
  /** Latest end of the others that start before the current word. */
  let endTs = Number.NEGATIVE_INFINITY;
  return words.filter(word => {
    let next = others[at];
    for (; next && next.ts <= word.ts; next = others[++at]) endTs = Math.max(endTs, next.endTs);
    return word.ts - endTs <= seconds || (next !== undefined && next.ts - word.endTs <= seconds);
  });
}

import type { LiveEvent } from '../model/events.ts';
import {
  distanceOf,
  type HeardWord,
  middleOf,
  overlapByHalf,
  repeatedWords,
  SAME_WORD_SECONDS,
  type WordPair,
} from '../text/repeatedWords.ts';

/** A hole, and what is known beside it. Times in seconds on the clock of the live transcript. */
export interface HolePlace {
  /** Where the audio of the job begins: the hole with margins. */
  readonly audioTs: number;
  /** The hole. */
  readonly ts: number;
  readonly endTs: number;
  /** Finals, repairs and other holes of the margins, and of the same channel; other events are passed over. */
  readonly beside: readonly LiveEvent[];
}

/**
 * Of the words of a job those that belong in the hole: the ones whose middle is there, and close to it what the live
 * text has not. Left out is what the live text has already.
 *
 * @param live words of the live text, on the same clock; both lists in order of their starts
 */
export function wordsOfHole(
  heard: readonly HeardWord[],
  live: readonly HeardWord[],
  place: HolePlace,
): readonly HeardWord[] {
  const near = wordsNear(heard, live, SAME_WORD_SECONDS);
  const beside = wordsNear(live, near, SAME_WORD_SECONDS);
  const pairs = repeatedWords(beside, near, sameWordRule(heard, place));
  const known = new Set(pairs.map(pair => pair.heard));
  const heardAgain = new Set(pairs.map(({ earlier }) => earlier));
  const unheard = beside.filter(word => !heardAgain.has(word));
  const isClose = closeToHole(pairs, place);
  const isMissing = (word: HeardWord) =>
    !isInOpenHole(middleOf(word), place) && !unheard.some(other => overlapByHalf(word, other));
  return heard.filter(word => {
    if (known.has(word)) return false;
    const middle = middleOf(word);
    return (middle >= place.ts && middle < place.endTs) || (isClose(word) && isMissing(word));
  });
}

/**
 * What the job was given whole it heard at about the same time. Other words have to overlap by half, as what it heard may
 * be another one that says the same.
 */
function sameWordRule(heard: readonly HeardWord[], { audioTs, ts, endTs }: HolePlace) {
  // Margins are alike but at the start of the audio.
  const audioEndTs = heard.reduce((end, word) => Math.max(end, word.endTs), endTs + ts - audioTs);
  return (live: HeardWord, word: HeardWord) =>
    overlapByHalf(live, word) ||
    (live.ts >= audioTs && live.endTs <= audioEndTs && distanceOf(live, word) <= SAME_WORD_SECONDS);
}

/** Whether a word reaches into the hole, or comes next after a known word beside it and so close that it may be in it. */
function closeToHole(pairs: readonly WordPair[], { ts, endTs }: HolePlace): (word: HeardWord) => boolean {
  const last = pairs.findLast(({ earlier }) => middleOf(earlier) < ts)?.heard.index ?? Infinity;
  const next = pairs.find(({ earlier }) => middleOf(earlier) >= endTs)?.heard.index ?? -1;
  return word =>
    word.endTs > (word.index > last ? ts - SAME_WORD_SECONDS : ts) &&
    word.ts < (word.index < next ? endTs + SAME_WORD_SECONDS : endTs);
}

/** Of a hole that was repaired it is known whether the word is there. */
function isInOpenHole(seconds: number, { beside }: HolePlace): boolean {
  const isWithin = (type: LiveEvent['type']) =>
    beside.some(
      event => event.type === type && 'ts' in event && seconds >= event.ts && seconds < event.endTs,
    );
  return isWithin('hole') && !isWithin('repair');
}

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

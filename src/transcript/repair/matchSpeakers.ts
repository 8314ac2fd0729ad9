import { type HeardWord, heardWords, inTime } from '../text/repeatedWords.ts';
import type { Said } from './speakerTurns.ts';

/** Speakers who speak at the same time for less than this, which is less than most words, are not taken for one. */
const LEAST_OVERLAP_SECONDS = 0.2;

interface SharedTime {
  readonly speaker: number;
  readonly liveSpeaker: number;
  readonly seconds: number;
}

/**
 * Which speaker of a live transcript each speaker of a job is: those whose words share most time, first; nobody is
 * two. Who shares no time with anybody left gets the least number that no speaker has.
 *
 * @param job what the job heard, on the clock of the live transcript
 * @param live what the live transcript has of the same time
 * @param speakersInUse numbers of all speakers of the live transcript that are told apart
 * @example
 * matchSpeakers(job.monologues, finals, [0, 1]).get(0)
 */
export function matchSpeakers(
  job: readonly Said[],
  live: readonly Said[],
  speakersInUse: Iterable<number>,
): ReadonlyMap<number, number> {
  const matched = new Map<number, number>();
  const taken = new Set<number>();
  for (const { speaker, liveSpeaker } of sharedTimes(job, live)) {
    if (matched.has(speaker) || taken.has(liveSpeaker)) continue;
    matched.set(speaker, liveSpeaker);
    taken.add(liveSpeaker);
  }
  const used = new Set([...speakersInUse, ...taken]);
  let free = 0;
  for (const { speaker = 0 } of job) {
    if (matched.has(speaker)) continue;
    while (used.has(free)) free++;
    matched.set(speaker, free);
    used.add(free);
  }
  return matched;
}

/** Pairs of speakers who share time, those that share most first. */
function sharedTimes(job: readonly Said[], live: readonly Said[]): readonly SharedTime[] {
  const liveWords = wordsBySpeaker(live);
  return [...wordsBySpeaker(job)]
    .flatMap(([speaker, words]) =>
      [...liveWords].map(([liveSpeaker, others]) => ({
        speaker,
        liveSpeaker,
        seconds: sharedSeconds(words, others),
      })),
    )
    .filter(({ seconds }) => seconds >= LEAST_OVERLAP_SECONDS)
    .toSorted((left, right) => right.seconds - left.seconds);
}

function wordsBySpeaker(said: readonly Said[]): ReadonlyMap<number, readonly HeardWord[]> {
  const bySpeaker = new Map<number, HeardWord[]>();
  for (const { speaker = 0, elements } of said) {
    const words = bySpeaker.get(speaker) ?? [];
    words.push(...heardWords(elements));
    bySpeaker.set(speaker, words);
  }
  return new Map([...bySpeaker].map(([speaker, words]) => [speaker, inTime(words)]));
}

/** In time linear in the words, as those of one speaker hardly overlap. */
function sharedSeconds(left: readonly HeardWord[], right: readonly HeardWord[]): number {
  let seconds = 0;
  let first = 0;
  for (const { ts, endTs } of left) {
    while (first < right.length && right[first]!.endTs <= ts) first++;
    for (let at = first; at < right.length && right[at]!.ts < endTs; at++) {
      seconds += Math.max(0, Math.min(endTs, right[at]!.endTs) - Math.max(ts, right[at]!.ts));
    }
  }
  return seconds;
}

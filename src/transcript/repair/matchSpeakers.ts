import type { TimedWord } from '../text/repeatedWords.ts';
import { type SpeakerTurn, wordsIn } from './speakerTurns.ts';

/** Least overlap in seconds for a match, shorter than most words. */
const LEAST_OVERLAP_SECONDS = 0.2;

interface SharedTime {
  readonly speaker: number;
  readonly liveSpeaker: number;
  readonly seconds: number;
}

/**
 * Maps the speakers of a job to those of a live transcript, one to one, by the time that their words overlap, largest overlap
 * first. A speaker without a match gets the lowest unused number.
 *
 * @param job turns of the job, with times of the live transcript
 * @param live turns of the live transcript in the same audio
 * @param speakersInUse all speaker numbers of the live transcript
 * @returns live speaker numbers by speaker number of the job
 * @example
 * const elements = [{ type: 'text', value: 'Hello', ts: 1, endTs: 2 }] as const;
 * matchSpeakers([{ speaker: 0, elements }], [{ speaker: 3, elements }], [3]).get(0); // 3
 */
export function matchSpeakers(
  job: readonly SpeakerTurn[],
  live: readonly SpeakerTurn[],
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

/** Returns the pairs of speakers whose words overlap, largest overlap first. */
function sharedTimes(job: readonly SpeakerTurn[], live: readonly SpeakerTurn[]): readonly SharedTime[] {
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

function wordsBySpeaker(said: readonly SpeakerTurn[]): ReadonlyMap<number, readonly TimedWord[]> {
  const bySpeaker = Map.groupBy(said, ({ speaker = 0 }) => speaker);
  return new Map([...bySpeaker].map(([speaker, turns]) => [speaker, wordsIn(turns)]));
}

/** Returns the overlap of two lists of words in seconds, in linear time, as words of one speaker hardly overlap. */
function sharedSeconds(left: readonly TimedWord[], right: readonly TimedWord[]): number {
  let seconds = 0;
  let first = 0;
  for (const { ts, endTs } of left) {
    while ((right[first]?.endTs ?? Number.POSITIVE_INFINITY) <= ts) first++;
    for (let at = first, other = right[at]; other && other.ts < endTs; other = right[++at]) {
      seconds += Math.max(0, Math.min(endTs, other.endTs) - Math.max(ts, other.ts));
    }
  }
  return seconds;
}

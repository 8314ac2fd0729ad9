import type { FinalEvent } from '../model/events.ts';
import { spanOf, type TranscriptElement } from '../model/model.ts';
import {
  distanceOf,
  middleOf,
  overlapByHalf,
  repeatedWords,
  SAME_WORD_SECONDS,
  type TimedWord,
  timedWords,
} from '../text/repeatedWords.ts';
import { hundredths } from './coverEvent.ts';

/**
 * Removes from the first final of a continued session the words that are already final: words of the same text at the same time,
 * the rest of a word that was cut, and everything before them. A word that was actually said twice stays. Returns the same
 * object when there are no such words, and undefined when no words remain.
 *
 * @param before the last final elements of the previous session
 * @param coveredEndTs end of the last final of the previous session, in seconds
 * @example
 * const word = { type: 'text', value: 'Hello', ts: 0.2, endTs: 0.6 } as const;
 * dropRepeated({ type: 'final', ts: 0, endTs: 1, elements: [word] }, [word], 1); // undefined
 */
export function dropRepeated(
  final: FinalEvent,
  before: readonly TranscriptElement[],
  coveredEndTs: number,
): FinalEvent | undefined {
  const last = repeatedAtStart(timedWords(before), timedWords(final.elements), coveredEndTs).at(-1);
  if (!last) return final;
  const elements = withoutLeadingMarks(final.elements.slice(last.index + 1));
  if (elements.length === 0) return undefined;
  const firstTs = spanOf(elements)?.ts ?? final.endTs;
  const ts = Math.max(final.ts, Math.min(coveredEndTs, firstTs));
  return { ...final, ts: ts < final.endTs ? ts : final.ts, elements };
}

/** Returns the repeated words. Only words in the shared audio are compared. */
function repeatedAtStart(
  before: readonly TimedWord[],
  later: readonly TimedWord[],
  coveredEndTs: number,
): readonly TimedWord[] {
  const fromTs = (later[0]?.ts ?? coveredEndTs) - SAME_WORD_SECONDS;
  const earlier = before.filter(({ endTs }) => endTs >= fromTs);
  const untilTs = earlier.reduce((until, { endTs }) => Math.max(until, endTs), coveredEndTs);
  const again = later.filter(({ ts }) => ts <= untilTs);
  const isSame = (left: TimedWord, right: TimedWord) =>
    overlapByHalf(left, right) ||
    (middleOf(right) < coveredEndTs && distanceOf(left, right) <= SAME_WORD_SECONDS) ||
    (left === earlier.at(-1) && right === later[0] && isRest(left, right));
  return repeatedWords(earlier, again, isSame).map(({ later }) => later);
}

/** Returns whether a first word is the rest of a word that the previous session cut; a repeated word would be as long. */
function isRest(word: TimedWord, rest: TimedWord): boolean {
  const pause = Math.abs(hundredths(rest.ts - word.endTs));
  return pause <= 0.01 && hundredths(rest.endTs - rest.ts) * 2 <= hundredths(word.endTs - word.ts);
}

/** Removes punctuation and spaces that followed a removed word. */
function withoutLeadingMarks(elements: readonly TranscriptElement[]): readonly TranscriptElement[] {
  const first = elements.findIndex(({ type }) => type !== 'punct');
  return first < 0 ? [] : elements.slice(first);
}

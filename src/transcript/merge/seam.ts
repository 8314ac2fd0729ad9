import type { FinalEvent } from '../model/events.ts';
import { spanOf, type TranscriptElement } from '../model/model.ts';
import {
  distanceOf,
  type HeardWord,
  heardWords,
  middleOf,
  overlapByHalf,
  repeatedWords,
  SAME_WORD_SECONDS,
} from '../text/repeatedWords.ts';
import { hundredths } from './coverEvent.ts';

/**
 * The first final of a session that took over, without the words that are final already: those that say the same at the
 * same time, what was left of the last word, and what stands before them. A word that was said twice stays. The same
 * object when there are none; undefined when nothing is left.
 *
 * @param before the last final elements of the session before
 * @param coveredEndTs seconds up to which the session before has finals
 * @example
 * dropRepeated(final, lastFinal.elements, lastFinal.endTs)
 */
export function dropRepeated(
  final: FinalEvent,
  before: readonly TranscriptElement[],
  coveredEndTs: number,
): FinalEvent | undefined {
  const last = repeatedAtStart(heardWords(before), heardWords(final.elements), coveredEndTs).at(-1);
  if (!last) return final;
  const elements = withoutLeadingMarks(final.elements.slice(last.index + 1));
  if (elements.length === 0) return undefined;
  const firstTs = spanOf(elements)?.ts ?? final.endTs;
  const ts = Math.max(final.ts, Math.min(coveredEndTs, firstTs));
  return { ...final, ts: ts < final.endTs ? ts : final.ts, elements };
}

/** Only words that reach into the same audio are compared. */
function repeatedAtStart(
  before: readonly HeardWord[],
  heard: readonly HeardWord[],
  coveredEndTs: number,
): readonly HeardWord[] {
  const fromTs = (heard[0]?.ts ?? coveredEndTs) - SAME_WORD_SECONDS;
  const earlier = before.filter(({ endTs }) => endTs >= fromTs);
  const untilTs = earlier.reduce((until, { endTs }) => Math.max(until, endTs), coveredEndTs);
  const again = heard.filter(({ ts }) => ts <= untilTs);
  const isSame = (left: HeardWord, right: HeardWord) =>
    overlapByHalf(left, right) ||
    (middleOf(right) < coveredEndTs && distanceOf(left, right) <= SAME_WORD_SECONDS) ||
    (left === earlier.at(-1) && right === heard[0] && isRest(left, right));
  return repeatedWords(earlier, again, isSame).map(({ heard }) => heard);
}

/** Whether a session that begins where a word was said to end hears what was left of it; said again it would be as long. */
function isRest(word: HeardWord, rest: HeardWord): boolean {
  const pause = Math.abs(hundredths(rest.ts - word.endTs));
  return pause <= 0.01 && hundredths(rest.endTs - rest.ts) * 2 <= hundredths(word.endTs - word.ts);
}

/** Marks and spaces after a word that is gone go with it. */
function withoutLeadingMarks(elements: readonly TranscriptElement[]): readonly TranscriptElement[] {
  const first = elements.findIndex(({ type }) => type !== 'punct');
  return first < 0 ? [] : elements.slice(first);
}

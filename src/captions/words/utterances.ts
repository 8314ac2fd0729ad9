import type { FinalEvent, PartialEvent } from '../../transcript/model/events.ts';
import { channelOf } from '../../transcript/model/events.ts';
import { tokensOf } from '../../transcript/text/tokens.ts';
import { type HypothesisWord, hypothesisWordOf, keyOf, type ShownWord, turnMark } from './captionWord.ts';

/** Shown words of an utterance that ended without a final. */
export interface UnfinishedUtterance {
  readonly channel: number;
  /** Seconds since the start of the audio. */
  readonly ts: number;
  readonly endTs: number;
  readonly shown: readonly ShownWord[];
  /** True when their wording in the transcript is set, unless they are recognised again. */
  readonly isWorded: boolean;
}

/** Maximum number of remembered utterances: one is recognised again soon, or never. */
const REMEMBERED = 8;

/** Returns the wording of words that never become final: as shown. */
export const asShown = (words: readonly ShownWord[]): ReadonlyMap<number, string> =>
  new Map(words.map(word => [word.id, turnMark(word) + word.text]));

/** Splits utterances into the words that a hypothesis repeats, and the other utterances. */
export function splitRepeated(left: readonly UnfinishedUtterance[], span: UtteranceSpan) {
  const again = left.filter(one => isSameUtterance({ ...one, words: one.shown }, span));
  return {
    again: again.flatMap(({ shown }) => shown),
    others: again.length === 0 ? left : left.filter(one => !again.includes(one)),
  };
}

/** Adds an utterance, and drops those that will not be recognised again, with the wording of their words. */
export function addUnfinished(
  left: readonly UnfinishedUtterance[],
  one: UnfinishedUtterance,
  finalEndTs: number,
): { readonly left: readonly UnfinishedUtterance[]; readonly wording: ReadonlyMap<number, string> } {
  const all = one.shown.length === 0 ? left : [...left, one];
  const isOver = ({ channel, endTs }: UnfinishedUtterance, index: number) =>
    (channel === one.channel && endTs <= finalEndTs) || index < all.length - REMEMBERED;
  const over = all.filter(isOver);
  return {
    left: over.length === 0 ? all : all.filter((other, index) => !isOver(other, index)),
    wording: asShown(over.flatMap(({ shown, isWorded }) => (isWorded ? [] : shown))),
  };
}

/** The words of a hypothesis, and its span in seconds. */
export interface UtteranceSpan {
  readonly channel: number;
  readonly ts: number;
  readonly endTs: number;
  readonly words: readonly HypothesisWord[];
}

/** Minimum overlap, as a fraction; at one half, words dropped by a final would count as the start of the next utterance. */
const SAME_SHARE = 2 / 3;

/**
 * Returns whether two spans are about the same utterance of the same channel.
 *
 * Recognisers round times, so the spans of two utterances in a row may overlap a little. Spans that overlap and have a word
 * in common are about the same utterance; without one they have to overlap by two thirds of the shorter span.
 */
export function isSameUtterance(one: UtteranceSpan, other: UtteranceSpan): boolean {
  const overlap = Math.min(one.endTs, other.endTs) - Math.max(one.ts, other.ts);
  if (one.channel !== other.channel || overlap <= 0) return false;
  const shorter = Math.min(one.endTs - one.ts, other.endTs - other.ts);
  if (overlap >= SAME_SHARE * shorter) return true;
  const keys = new Set(one.words.map(keyOf));
  return other.words.some(({ key }) => keys.has(key));
}

/** Returns the span of a partial or a final. */
export function spanOf(hypothesis: PartialEvent | FinalEvent): UtteranceSpan {
  const { ts, endTs, elements } = hypothesis;
  return { channel: channelOf(hypothesis), ts, endTs, words: tokensOf(elements).map(hypothesisWordOf) };
}

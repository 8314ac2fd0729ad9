import type { FinalEvent, PartialEvent } from '../transcript/model/events.ts';
import { channelOf } from '../transcript/model/perChannel.ts';
import { tokensOf } from '../transcript/text/tokens.ts';
import { type Heard, heardOf, keyOf } from './captionWord.ts';

/** The words of a hypothesis, and the seconds of audio that it covers. */
export interface HeardSpan {
  readonly channel: number;
  readonly ts: number;
  readonly endTs: number;
  readonly words: readonly Heard[];
}

/** At one half, words that a final dropped would be taken for the beginning of the next utterance. */
const SAME_SHARE = 2 / 3;

/**
 * Returns whether two spans are about the same utterance of the same channel.
 *
 * Recognisers round times, so the spans of two utterances in a row may overlap a little. Spans that overlap and have a word
 * in common are about the same utterance; without one they have to overlap by two thirds of the shorter span.
 */
export function isSameUtterance(one: HeardSpan, other: HeardSpan): boolean {
  const overlap = Math.min(one.endTs, other.endTs) - Math.max(one.ts, other.ts);
  if (one.channel !== other.channel || overlap <= 0) return false;
  const shorter = Math.min(one.endTs - one.ts, other.endTs - other.ts);
  if (overlap >= SAME_SHARE * shorter) return true;
  const keys = new Set(one.words.map(keyOf));
  return other.words.some(({ key }) => keys.has(key));
}

/** Returns the span of a partial or a final. */
export function spanOf(hypothesis: PartialEvent | FinalEvent): HeardSpan {
  const { ts, endTs, elements } = hypothesis;
  return { channel: channelOf(hypothesis), ts, endTs, words: tokensOf(elements).map(heardOf) };
}

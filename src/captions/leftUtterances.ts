import type { Shown } from './captionWord.ts';
import { type HeardSpan, isSameUtterance } from './sameUtterance.ts';

/** Words that are shown of an utterance that was left without a final of them. */
export interface LeftUtterance {
  readonly channel: number;
  /** Seconds since the start of the audio. */
  readonly ts: number;
  readonly endTs: number;
  readonly shown: readonly Shown[];
  /** It is known how they read in the transcript, unless they are heard again. */
  readonly isWorded: boolean;
}

/** So many are remembered at most: one is heard again soon, or never. */
const REMEMBERED = 8;

/** The wording of words whose final never comes: as they are shown. */
export const asShown = (words: readonly Shown[]): ReadonlyMap<number, string> =>
  new Map(words.map(({ id, text }) => [id, text]));

/** Splits utterances into the words of those that a hypothesis has again, and the others. */
export function heardAgain(left: readonly LeftUtterance[], span: HeardSpan) {
  const again = left.filter(one => isSameUtterance({ ...one, words: one.shown }, span));
  return {
    again: again.flatMap(({ shown }) => shown),
    others: again.length === 0 ? left : left.filter(one => !again.includes(one)),
  };
}

/** Adds an utterance, and forgets those that will not be heard again: gives how their words read. */
export function addLeft(
  left: readonly LeftUtterance[],
  one: LeftUtterance,
  finalEndTs: number,
): { readonly left: readonly LeftUtterance[]; readonly wording: ReadonlyMap<number, string> } {
  const all = one.shown.length === 0 ? left : [...left, one];
  const isOver = ({ channel, endTs }: LeftUtterance, index: number) =>
    (channel === one.channel && endTs <= finalEndTs) || index < all.length - REMEMBERED;
  const over = all.filter(isOver);
  return {
    left: over.length === 0 ? all : all.filter((other, index) => !isOver(other, index)),
    wording: asShown(over.flatMap(({ shown, isWorded }) => (isWorded ? [] : shown))),
  };
}

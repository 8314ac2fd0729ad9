import { diff3MergeRegions, diffIndices } from 'node-diff3';
import type { DeskTurn } from '../../../protocol/desk.ts';

/** Turns that two texts have changed differently. Either may be empty, where the turns were deleted. */
export interface TurnConflict {
  readonly ours: readonly DeskTurn[];
  readonly theirs: readonly DeskTurn[];
}

/** The turns of a conflict that a person keeps. */
export type TurnChoice = 'ours' | 'theirs' | 'both';

type Part = readonly DeskTurn[] | TurnConflict;

const isConflict = (part: Part): part is TurnConflict => !Array.isArray(part);

/** Times are not compared: they are found again by the aligner. */
const keyOf = ({ speaker, text }: DeskTurn) => `${speaker} ${text}`;
const areEqual = (one: DeskTurn, other: DeskTurn) => keyOf(one) === keyOf(other);

/**
 * Merges two texts, turn by turn. A turn that one has changed, added or deleted since `base` is that of the merged text; only
 * turns that both have changed are in conflict.
 */
export function mergeTurns(
  ours: readonly DeskTurn[],
  base: readonly DeskTurn[],
  theirs: readonly DeskTurn[],
): readonly Part[] {
  const [a, o, b] = [ours, base, theirs].map(turns => turns.map(keyOf)) as [string[], string[], string[]];
  const unchanged = equalTurns(o, a);
  return diff3MergeRegions(a, o, b).flatMap((region): readonly Part[] => {
    if (!region.stable) {
      const { aStart, aLength, oStart, oLength, bStart, bLength } = region;
      return mergedRegion(
        ours.slice(aStart, aStart + aLength),
        base.slice(oStart, oStart + oLength),
        theirs.slice(bStart, bStart + bLength),
      );
    }
    const [from, to] = [region.bufferStart, region.bufferStart + region.bufferLength];
    if (region.buffer === 'a') return [ours.slice(from, to)];
    if (region.buffer === 'b') return [theirs.slice(from, to)];
    return [base.slice(from, to).map((turn, n) => ours[unchanged.get(from + n) ?? -1] ?? turn)];
  });
}

/** Returns the conflicts of a merge, in order. */
export const conflictsOf = (parts: readonly Part[]): readonly TurnConflict[] => parts.filter(isConflict);

/** Returns the merged turns. @param choices one for each conflict, in order */
export function mergedTurns(parts: readonly Part[], choices: readonly TurnChoice[]): readonly DeskTurn[] {
  let next = 0;
  return parts.flatMap(part => {
    if (!isConflict(part)) return part;
    const choice = choices[next++];
    return [...(choice === 'theirs' ? [] : part.ours), ...(choice === 'ours' ? [] : part.theirs)];
  });
}

/** Merges turns of which both texts have changed some. Where the number is the same in all, turns beside each other are apart. */
function mergedRegion(
  ours: readonly DeskTurn[],
  base: readonly DeskTurn[],
  theirs: readonly DeskTurn[],
): readonly Part[] {
  const isSameCount = ours.length === base.length && theirs.length === base.length;
  if (!isSameCount) {
    const isSame = ours.length === theirs.length && ours.every((turn, n) => areEqual(turn, theirs[n]!));
    return isSame ? [ours] : [{ ours, theirs }];
  }
  return base.map((turn, n): Part => {
    const [our, their] = [ours[n]!, theirs[n]!];
    if (areEqual(their, turn) || areEqual(our, their)) return [our];
    return areEqual(our, turn) ? [their] : { ours: [our], theirs: [their] };
  });
}

/** Returns the indices in the second list of elements of the first that are in both, in order. */
function equalTurns(one: string[], other: string[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  let [from, to] = [0, 0];
  for (const { buffer1, buffer2 } of [
    ...diffIndices(one, other),
    { buffer1: [one.length, 0], buffer2: [other.length, 0] },
  ]) {
    while (from < buffer1[0]!) found.set(from++, to++);
    from += buffer1[1]!;
    to += buffer2[1]!;
  }
  return found;
}

/** Returns names of speakers of which one text has changed some, and the other others. Where both have, ours count. */
export function mergeNames(
  ours: readonly string[],
  base: readonly string[],
  theirs: readonly string[],
): readonly string[] {
  const count = Math.max(ours.length, theirs.length);
  return Array.from({ length: count }, (_, n) => {
    const our = ours[n] ?? '';
    return our === (base[n] ?? '') ? (theirs[n] ?? '') : our;
  });
}

/** Returns the text of turns in parts; `isOwn` for words that the other turns lack. */
export function differingWords(
  turns: readonly DeskTurn[],
  others: readonly DeskTurn[],
): readonly { readonly text: string; readonly isOwn: boolean }[] {
  const [own = [], other = []] = [turns, others].map(list =>
    list
      .map(({ speaker, text }) => `Speaker ${speaker}: ${text}`)
      .join('\n')
      .split(/(?<=\s)/u),
  );
  let from = 0;
  const parts = diffIndices(own, other).flatMap(({ buffer1: [start = 0, count = 0] }) => {
    const same = { text: own.slice(from, start).join(''), isOwn: false };
    from = start + count;
    return [same, { text: own.slice(start, from).join(''), isOwn: true }];
  });
  return [...parts, { text: own.slice(from).join(''), isOwn: false }].filter(({ text }) => text !== '');
}

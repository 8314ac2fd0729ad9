import { diffIndices } from 'node-diff3';

/** An element that is the same as others with its key. */
interface Keyed {
  readonly key: string;
}

/** Elements that two lists have both changed, each in its own way. */
export interface Clash<T> {
  readonly ours: readonly T[];
  readonly base: readonly T[];
  readonly theirs: readonly T[];
}

/** Merged elements, or those that clash. */
export type Merged<T> = readonly T[] | Clash<T>;

export const isClash = <T>(part: Merged<T>): part is Clash<T> => !Array.isArray(part);

/**
 * Merges two lists that were changed since `base`. The merged list has the changes, additions and deletions of both, even if
 * they are adjacent; only elements that both have changed clash. Of equal elements, ours are taken.
 */
export function mergeLists<T extends Keyed>(
  ours: readonly T[],
  base: readonly T[],
  theirs: readonly T[],
): readonly Merged<T>[] {
  const parts: Merged<T>[] = [];
  let [at, a, b] = [0, 0, 0];
  for (const { from, to, grown } of changesOf(ours, base, theirs)) {
    const [startA, startB] = [a + from - at, b + from - at];
    parts.push(ours.slice(a, startA));
    [at, a, b] = [to, startA + to - from + grown[0], startB + to - from + grown[1]];
    const changed = { ours: ours.slice(startA, a), theirs: theirs.slice(startB, b) };
    parts.push(...settled({ ...changed, base: base.slice(from, to) }));
  }
  return [...parts, ours.slice(a)];
}

/** Returns our elements and the further ones of theirs, in sequence where the lists differ. */
export function uniteLists<T extends Keyed>(ours: readonly T[], theirs: readonly T[]): readonly T[] {
  let from = 0;
  const united = diffOf(ours, theirs).flatMap(
    ({ buffer1: [a = 0, count = 0], buffer2: [b = 0, added = 0] }) => {
      const own = ours.slice(from, a + count);
      from = a + count;
      return [...own, ...theirs.slice(b, b + added)];
    },
  );
  return [...united, ...ours.slice(from)];
}

/** A part of the base, from one index up to another (exclusive), its replacements, and the added length of each list. */
interface Change {
  from: number;
  to: number;
  readonly added: string[];
  readonly grown: [ours: number, theirs: number];
}

/** Returns the changes of both lists, in order; overlapping changes are combined. */
function changesOf<T extends Keyed>(
  ours: readonly T[],
  base: readonly T[],
  theirs: readonly T[],
): readonly Change[] {
  const changes = [ours, theirs].flatMap((list, side) =>
    diffOf(base, list).map(({ buffer1: [from = 0, count = 0], buffer2: [start = 0, length = 0] }): Change => {
      const added = list.slice(start, start + length).map(({ key }) => key);
      const grown = length - count;
      return { from, to: from + count, added, grown: side === 0 ? [grown, 0] : [0, grown] };
    }),
  );
  const apart: Change[] = [];
  for (const change of changes.sort((one, other) => one.from - other.from || one.to - other.to)) {
    const last = apart.at(-1);
    if (last && concern(last, change)) {
      last.to = Math.max(last.to, change.to);
      last.added.push(...change.added);
      last.grown[0] += change.grown[0];
      last.grown[1] += change.grown[1];
    } else apart.push(change);
  }
  return apart;
}

/**
 * Returns whether two changes, of which the first begins first, concern the same elements. Adjacent changes do if one adds
 * elements where the other adds or deletes some, or if both add the same ones.
 */
function concern(one: Change, other: Change): boolean {
  if (other.from !== one.to) return other.from < one.to;
  const isAddition = [one, other].some(({ from, to }) => to === from);
  const isReplacement = [one, other].some(({ from, to, added }) => to > from && added.length > 0);
  return (isAddition && !isReplacement) || one.added.some(key => other.added.includes(key));
}

/**
 * Reduces a clash to the elements that really clash. If all versions have the same number of elements, they are compared one by
 * one.
 */
function settled<T extends Keyed>(clash: Clash<T>): readonly Merged<T>[] {
  const { ours, base, theirs } = clash;
  if (areEqual(theirs, base) || areEqual(ours, theirs)) return [ours];
  if (areEqual(ours, base)) return [theirs];
  if (base.length < 2 || ours.length !== base.length || theirs.length !== base.length) return [clash];
  return base.flatMap((one, n) => settled({ ours: [ours[n]!], base: [one], theirs: [theirs[n]!] }));
}

const areEqual = (one: readonly Keyed[], other: readonly Keyed[]) =>
  one.length === other.length && one.every(({ key }, n) => key === other[n]?.key);

/** Returns where two lists differ: index and number in each. */
function diffOf(one: readonly Keyed[], other: readonly Keyed[]) {
  const [keys, others] = [one, other].map(list => list.map(({ key }) => key));
  return diffIndices(keys!, others!);
}

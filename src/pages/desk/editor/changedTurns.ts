/** Changed turns: those from index `from` up to `to` (exclusive) stand for `replaced` turns of an earlier text. */
export interface ChangedRange {
  readonly from: number;
  readonly to: number;
  readonly replaced: number;
}

/** Ranges with fewer unchanged turns between them become one. */
const GAP = 20;
/** More ranges than this become one. */
const MAX_RANGES = 8;

/**
 * Returns the ranges, in order, by which a text differs from an earlier one after one more change. Made from the first to the last,
 * each is at its place.
 */
export function addChange(ranges: readonly ChangedRange[], change: ChangedRange): ChangedRange[] {
  const growth = growthOf(change);
  const end = change.from + change.replaced;
  const before = ranges.filter(({ to }) => to + GAP < change.from);
  const after = ranges.filter(({ from }) => from > end + GAP);
  const joined = ranges.slice(before.length, ranges.length - after.length);
  const from = Math.min(change.from, ...joined.map(range => range.from));
  const to = Math.max(end, ...joined.map(range => range.to));
  const moved = after.map(range => ({ ...range, from: range.from + growth, to: range.to + growth }));
  const all = [...before, { from, to: to + growth, replaced: to - from - growthOfAll(joined) }, ...moved];
  return all.length > MAX_RANGES ? [joinRanges(all)] : all;
}

/** Returns the ranges of a text against the one before two changes of it. */
export function addChanges(
  ranges: readonly ChangedRange[],
  changes: readonly ChangedRange[],
): readonly ChangedRange[] {
  return changes.reduce<readonly ChangedRange[]>(addChange, ranges);
}

function joinRanges(ranges: readonly ChangedRange[]): ChangedRange {
  const from = Math.min(...ranges.map(range => range.from));
  const to = Math.max(...ranges.map(range => range.to));
  return { from, to, replaced: to - from - growthOfAll(ranges) };
}

/** Returns the number of turns that a change has added; negative when it has removed more. */
export const growthOf = ({ from, to, replaced }: ChangedRange) => to - from - replaced;

export const growthOfAll = (ranges: readonly ChangedRange[]) =>
  ranges.reduce((sum, range) => sum + growthOf(range), 0);

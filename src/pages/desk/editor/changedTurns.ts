/** Changed turns: those from index `from` up to `to` (exclusive) stand for `replaced` turns of an earlier text. */
export interface ChangedRange {
  readonly from: number;
  readonly to: number;
  readonly replaced: number;
}

/** Returns the range by which a text differs from an earlier one after one more change. */
export function addChange(range: ChangedRange | undefined, change: ChangedRange): ChangedRange {
  if (!range) return change;
  const from = Math.min(range.from, change.from);
  const to = Math.max(range.to, change.from + change.replaced);
  return { from, to: to + growthOf(change), replaced: to - from - growthOf(range) };
}

/** Returns the number of turns that a change has added; negative when it has removed more. */
export const growthOf = ({ from, to, replaced }: ChangedRange) => to - from - replaced;

/** Changed turns: those from index `from` up to `to` (exclusive) stand for `replaced` turns of an earlier text. */
export interface ChangedRange {
  readonly from: number;
  readonly to: number;
  readonly replaced: number;
}

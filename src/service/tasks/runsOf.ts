/** A range of indices, `to` excluded. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/** Returns the ranges of equal consecutive values, in order. */
export function runsOf(values: readonly number[]): readonly Run[] {
  const starts = [...values.keys()].filter(index => values[index] !== values[index - 1]);
  return starts.map((from, run) => ({ from, to: starts[run + 1] ?? values.length }));
}

/** From one index up to another. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/** Where equal values stand together, in order. */
export function runsOf(values: readonly number[]): readonly Run[] {
  const starts = [...values.keys()].filter(index => values[index] !== values[index - 1]);
  return starts.map((from, run) => ({ from, to: starts[run + 1] ?? values.length }));
}

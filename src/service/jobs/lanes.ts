/** Jobs that wait for one another and for no others: each lane has a queue and a capacity of its own. */
export interface Lane {
  /** Names its queue, so that it stays the same for good. */
  readonly name: string;
  /** Types of job. */
  readonly types: readonly string[];
  /** Jobs that run at the same time. */
  readonly concurrency: number;
}

/** Lanes; what no other takes is of the first. */
export type Lanes = readonly [Lane, ...Lane[]];

/** Returns the lane of a type of job. */
export function laneOf(lanes: Lanes, type: string): Lane {
  return lanes.find(({ types }) => types.includes(type)) ?? lanes[0];
}

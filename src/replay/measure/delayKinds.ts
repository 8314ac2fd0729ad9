/** Kinds of delays between speech and its text, in the order of a report. */
export const DELAY_KINDS = ['firstPartial', 'word', 'final'] as const;

export type DelayKind = (typeof DELAY_KINDS)[number];

/** Returns a value for each kind of delay. */
export function byDelayKind<Value>(delayOf: (kind: DelayKind) => Value): Record<DelayKind, Value> {
  return { firstPartial: delayOf('firstPartial'), word: delayOf('word'), final: delayOf('final') };
}

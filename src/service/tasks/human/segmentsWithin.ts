import type { Segment } from '../inputs.ts';

/**
 * Returns the segments of a human job within its media, in order of time; all of the media when none are given, and when none
 * lies in it.
 */
export function segmentsWithin(seconds: number, segments: readonly Segment[] = []): readonly Segment[] {
  const within = segmentsInside(seconds, segments);
  return within.length > 0 ? within : [{ start: 0, end: seconds }];
}

/** Returns the parts of segments that lie in the media, in order of time. */
export function segmentsInside(seconds: number, segments: readonly Segment[]): readonly Segment[] {
  return segments
    .map(({ start, end }) => ({ start, end: Math.min(end, seconds) }))
    .filter(({ start, end }) => start < end)
    .sort((one, other) => one.start - other.start);
}

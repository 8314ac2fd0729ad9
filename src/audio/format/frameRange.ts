/** A run of frames of one source, counted from its start. */
export interface FrameRange {
  readonly startFrame: number;
  /** The first frame after the range. */
  readonly endFrame: number;
}

/**
 * Returns the parts of a range that no other range covers, in order.
 *
 * @example
 * rangeWithout({ startFrame: 0, endFrame: 9 }, [{ startFrame: 2, endFrame: 4 }]) // 0 to 2, 4 to 9
 */
export function rangeWithout(range: FrameRange, taken: readonly FrameRange[]): readonly FrameRange[] {
  return rangesWithout([range], taken);
}

/** Returns the frames of ranges that no other range covers, as the fewest ranges, in order. */
export function rangesWithout(
  ranges: readonly FrameRange[],
  taken: readonly FrameRange[],
): readonly FrameRange[] {
  const removed = joinRanges(taken);
  const left: FrameRange[] = [];
  let next = 0;
  for (const { startFrame, endFrame } of joinRanges(ranges)) {
    let from = startFrame;
    while (next < removed.length && removed[next]!.endFrame <= from) next++;
    // The last removed range may extend into the next range.
    for (let at = next; at < removed.length && removed[at]!.startFrame < endFrame; at++) {
      if (removed[at]!.startFrame > from) left.push({ startFrame: from, endFrame: removed[at]!.startFrame });
      from = removed[at]!.endFrame;
      next = at;
    }
    if (from < endFrame) left.push({ startFrame: from, endFrame });
  }
  return left;
}

/** Returns the frames that ranges and others have in common, as the fewest ranges, in order. */
export function sharedRanges(
  ranges: readonly FrameRange[],
  others: readonly FrameRange[],
): readonly FrameRange[] {
  return rangesWithout(ranges, rangesWithout(ranges, others));
}

/** Returns the union of ranges as the fewest ranges, in order; adjacent ranges are joined. */
export function joinRanges(ranges: readonly FrameRange[]): readonly FrameRange[] {
  const joined: FrameRange[] = [];
  for (const { startFrame, endFrame } of ranges.filter(hasFrames).toSorted(byStart)) {
    const last = joined.at(-1);
    if (!last || last.endFrame < startFrame) joined.push({ startFrame, endFrame });
    else if (last.endFrame < endFrame) joined[joined.length - 1] = { ...last, endFrame };
  }
  return joined;
}

/** Returns the intersection of two ranges, or undefined when it is empty. */
export function sharedRange(one: FrameRange, other: FrameRange): FrameRange | undefined {
  const startFrame = Math.max(one.startFrame, other.startFrame);
  const endFrame = Math.min(one.endFrame, other.endFrame);
  return startFrame < endFrame ? { startFrame, endFrame } : undefined;
}

export function isWithin(inner: FrameRange, outer: FrameRange): boolean {
  return inner.startFrame >= outer.startFrame && inner.endFrame <= outer.endFrame;
}

export function isSameRange(one: FrameRange, other: FrameRange): boolean {
  return one.startFrame === other.startFrame && one.endFrame === other.endFrame;
}

export function byStart(one: Pick<FrameRange, 'startFrame'>, other: Pick<FrameRange, 'startFrame'>): number {
  return one.startFrame - other.startFrame;
}

function hasFrames({ startFrame, endFrame }: FrameRange): boolean {
  return startFrame < endFrame;
}

/** The relation of frames to seconds. */
export interface SourceTime {
  /** Hz. */
  readonly sampleRate: number;
  /** Seconds at frame 0. Default 0. */
  readonly startTs?: number;
}

/** Returns the time of a frame in seconds, rounded to microseconds to remove the noise of binary fractions. */
export function secondsAt(frame: number, { sampleRate, startTs = 0 }: SourceTime): number {
  return Math.round((startTs + frame / sampleRate) * 1e6) / 1e6;
}

/** A run of frames of one source, counted from its start. */
export interface FrameRange {
  readonly startFrame: number;
  /** The first frame behind it. */
  readonly endFrame: number;
}

/**
 * What is left of a range when others are taken out of it, in order.
 *
 * @example
 * rangeWithout({ startFrame: 0, endFrame: 9 }, [{ startFrame: 2, endFrame: 4 }]) // 0 to 2, 4 to 9
 */
export function rangeWithout(range: FrameRange, taken: readonly FrameRange[]): readonly FrameRange[] {
  const isSome = ({ startFrame, endFrame }: FrameRange) => startFrame < endFrame;
  let left = [range].filter(isSome);
  for (const { startFrame, endFrame } of taken) {
    left = left
      .flatMap(part => [
        { startFrame: part.startFrame, endFrame: Math.min(part.endFrame, startFrame) },
        { startFrame: Math.max(part.startFrame, endFrame), endFrame: part.endFrame },
      ])
      .filter(isSome);
  }
  return left;
}

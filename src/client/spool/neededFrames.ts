import { type FrameRange, rangeWithout, sharedRange } from '../../audio/format/frameRange.ts';

/** Which frames are still needed: all from a mark on, and before it those of ranges that are kept. */
export interface NeededFrames {
  /** Frames before it are needed only where they are kept. */
  readonly mark: number;
  /** Moves the mark, never back. */
  release(beforeFrame: number): void;
  keep(range: FrameRange): void;
  /** Undoes one `keep` of each frame: what was kept twice is kept once. */
  letGo(range: FrameRange): void;
  /** Whether any frame of a range is needed. */
  some(range: FrameRange): boolean;
}

export function createNeededFrames(): NeededFrames {
  let mark = 0;
  let kept: readonly FrameRange[] = [];
  return {
    get mark() {
      return mark;
    },
    release(beforeFrame) {
      mark = Math.max(mark, beforeFrame);
    },
    keep(range) {
      if (range.startFrame < range.endFrame) kept = [...kept, range];
    },
    letGo(range) {
      let rest: readonly FrameRange[] = [range];
      kept = kept.flatMap(one => {
        const shared = rest.flatMap(part => sharedRange(one, part) ?? []);
        rest = rest.flatMap(part => rangeWithout(part, shared));
        return rangeWithout(one, shared);
      });
    },
    some: range => range.endFrame > mark || kept.some(one => sharedRange(one, range)),
  };
}

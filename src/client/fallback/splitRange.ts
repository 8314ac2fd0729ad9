import type { FrameRange } from '../../audio/format/frameRange.ts';

/** A range as few ranges of at most so many frames, as equal as can be. */
export function splitRange({ startFrame, endFrame }: FrameRange, maxFrames: number): readonly FrameRange[] {
  const parts = Math.max(1, Math.ceil((endFrame - startFrame) / maxFrames));
  const at = (part: number) => startFrame + Math.round(((endFrame - startFrame) * part) / parts);
  return Array.from({ length: parts }, (_, part) => ({ startFrame: at(part), endFrame: at(part + 1) }));
}

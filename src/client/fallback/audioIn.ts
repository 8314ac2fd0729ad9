import type { FrameRange } from '../../audio/format/frameRange.ts';
import type { ReplayStore } from '../spool/replayStore.ts';

export interface AudioInOptions {
  readonly store: Pick<ReplayStore, 'read'>;
  /** Where no more is missing between, it is one part all the same. */
  readonly bridgedFrames: number;
}

/** The parts of a range whose audio is there, in order. They begin and end with audio. */
export function audioIn(
  { startFrame, endFrame }: FrameRange,
  { store, bridgedFrames }: AudioInOptions,
): readonly FrameRange[] {
  const parts: FrameRange[] = [];
  for (let frame = startFrame; frame < endFrame; ) {
    // No more at once: a hole may be hours long.
    const chunk = store.read(frame, Math.min(endFrame - frame, Math.max(1, bridgedFrames)));
    if (!chunk || chunk.startFrame >= endFrame) break;
    frame = Math.min(endFrame, chunk.startFrame + chunk.frames);
    const last = parts.at(-1);
    const isNear = last && chunk.startFrame - last.endFrame <= bridgedFrames;
    if (isNear) parts.pop();
    parts.push({ startFrame: isNear ? last.startFrame : chunk.startFrame, endFrame: frame });
  }
  return parts;
}

import type { FrameRange } from '../../../audio/format/frameRange.ts';

interface Gap extends FrameRange {
  /** Frames of this gap and all gaps before it. */
  readonly skippedFrames: number;
}

/** The gaps of a source, in order. The clock of the source counts them, the clock of the audio does not. */
export type SourceGaps = readonly Gap[];

/** Adds a gap after all others. */
export function withGap(gaps: SourceGaps, { startFrame, endFrame }: FrameRange): SourceGaps {
  const skippedFrames = (gaps.at(-1)?.skippedFrames ?? 0) + endFrame - startFrame;
  return [...gaps, { startFrame, endFrame, skippedFrames }];
}

/** Returns the frames of audio before a frame of the source. */
export function toAudio(gaps: SourceGaps, frame: number): number {
  // Most sources have none, and this is called several times for each block.
  if (gaps.length === 0) return frame;
  const gap = gaps.findLast(({ startFrame }) => startFrame < frame);
  return gap ? Math.max(frame, gap.endFrame) - gap.skippedFrames : frame;
}

/** Returns the frame of the source before which there are so many frames of audio: after a gap, where there is one. */
export function toSource(gaps: SourceGaps, audioFrame: number): number {
  if (gaps.length === 0) return audioFrame;
  const gap = gaps.findLast(({ endFrame, skippedFrames }) => endFrame - skippedFrames <= audioFrame);
  return audioFrame + (gap?.skippedFrames ?? 0);
}

/** Returns the frames of audio between two frames of the source. */
export function audioFrames(gaps: SourceGaps, fromFrame: number, toFrame: number): number {
  return Math.max(0, toAudio(gaps, toFrame) - toAudio(gaps, fromFrame));
}

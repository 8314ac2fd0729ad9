import type { FrameRange } from '../../../audio/format/frameRange.ts';

interface Gap extends FrameRange {
  /** Frames of this gap and all gaps before it. */
  readonly skippedFrames: number;
}

/**
 * The gaps of a source, and the conversion between two clocks: the clock of the source counts gaps, the clock of the audio
 * does not.
 */
export class SourceGaps {
  readonly #gaps: Gap[] = [];

  /** Adds a gap after all others. */
  add({ startFrame, endFrame }: FrameRange): void {
    const skippedFrames = (this.#gaps.at(-1)?.skippedFrames ?? 0) + endFrame - startFrame;
    this.#gaps.push({ startFrame, endFrame, skippedFrames });
  }

  /** Returns the frames of audio before a frame of the source. */
  toAudio(frame: number): number {
    // Most sources have none, and this is called several times for each block.
    if (this.#gaps.length === 0) return frame;
    const gap = this.#gaps.findLast(({ startFrame }) => startFrame < frame);
    return gap ? Math.max(frame, gap.endFrame) - gap.skippedFrames : frame;
  }

  /** Returns the frame of the source before which there are so many frames of audio: after a gap, where there is one. */
  toSource(audioFrame: number): number {
    if (this.#gaps.length === 0) return audioFrame;
    const gap = this.#gaps.findLast(({ endFrame, skippedFrames }) => endFrame - skippedFrames <= audioFrame);
    return audioFrame + (gap?.skippedFrames ?? 0);
  }

  /** Returns the frames of audio between two frames of the source. */
  audioFrames(fromFrame: number, toFrame: number): number {
    return Math.max(0, this.toAudio(toFrame) - this.toAudio(fromFrame));
  }
}

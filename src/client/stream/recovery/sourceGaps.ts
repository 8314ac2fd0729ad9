import type { FrameRange } from '../../../audio/format/frameRange.ts';

interface Gap extends FrameRange {
  /** Frames that this gap and those before it leave out. */
  readonly skippedFrames: number;
}

/**
 * Where a source gave no audio, and with it two clocks: that of the source, which counts what it left out, and that of
 * the audio, which does not.
 */
export class SourceGaps {
  readonly #gaps: Gap[] = [];

  /** Adds a gap after all others. */
  add({ startFrame, endFrame }: FrameRange): void {
    const skippedFrames = (this.#gaps.at(-1)?.skippedFrames ?? 0) + endFrame - startFrame;
    this.#gaps.push({ startFrame, endFrame, skippedFrames });
  }

  /** How much audio there is before a frame of the source. */
  toAudio(frame: number): number {
    const gap = this.#gaps.findLast(({ startFrame }) => startFrame < frame);
    return gap ? Math.max(frame, gap.endFrame) - gap.skippedFrames : frame;
  }

  /** The frame of the source before which there is so much audio: after a gap where there is one. */
  toSource(audioFrame: number): number {
    const gap = this.#gaps.findLast(({ endFrame, skippedFrames }) => endFrame - skippedFrames <= audioFrame);
    return audioFrame + (gap?.skippedFrames ?? 0);
  }

  /** How much audio there is from one frame of the source to another. */
  audioFrames(fromFrame: number, toFrame: number): number {
    return Math.max(0, this.toAudio(toFrame) - this.toAudio(fromFrame));
  }
}

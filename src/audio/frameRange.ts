/** A run of frames of one source, counted from its start. */
export interface FrameRange {
  readonly startFrame: number;
  /** The first frame behind it. */
  readonly endFrame: number;
}

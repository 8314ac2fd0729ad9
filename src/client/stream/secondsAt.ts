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

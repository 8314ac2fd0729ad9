/** How frames become seconds. */
export interface SourceTime {
  /** Hz. */
  readonly sampleRate: number;
  /** Seconds at frame 0. Default 0. */
  readonly startTs?: number;
}

/** The time of a frame, in seconds. Microseconds: enough for a frame, and free of the noise of binary fractions. */
export function secondsAt(frame: number, { sampleRate, startTs = 0 }: SourceTime): number {
  return Math.round((startTs + frame / sampleRate) * 1e6) / 1e6;
}

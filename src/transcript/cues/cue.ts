/** Text that stands on the screen for a span of time. */
export interface Cue {
  /** Seconds since the start of the audio. */
  readonly ts: number;
  /** Seconds; not before `ts`. */
  readonly endTs: number;
  readonly lines: readonly string[];
  /** Who speaks, as readers are told; absent when nobody has to be told apart. */
  readonly speaker?: string;
}

/** Stands before the first words of another speaker. */
export const SPEAKER_MARK = '>> ';

/** A caption: text that is on screen for a span of time. */
export interface Cue {
  /** Seconds since the start of the audio. */
  readonly ts: number;
  /** End in seconds, not before `ts`. */
  readonly endTs: number;
  readonly lines: readonly string[];
  /** Name of the speaker; absent when there is only one, unnamed. */
  readonly speaker?: string;
  /** Channel, where each is streamed on its own: only captions of one channel never overlap. Default 0. */
  readonly channel?: number;
}

/** Text before the first word of a new speaker. */
export const SPEAKER_MARK = '>> ';

/** What was said, as a person wrote it down. */
export interface Reference {
  readonly segments: readonly ReferenceSegment[];
  /** Where it comes from, to be shown: `text`, `json`, `srt`, `vtt`, `ctm`, `stm`, `cassette`. */
  readonly kind: string;
}

/** What one speaker said. */
export interface ReferenceSegment {
  readonly text: string;
  /** Seconds since the start of the audio, where they are known. */
  readonly ts?: number;
  readonly endTs?: number;
  /** A name or number, where it is known. */
  readonly speaker?: string;
}

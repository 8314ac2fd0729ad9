/** A word of a known text with its time in the audio. */
export interface AlignedWord {
  /** The word as it stands in the text. */
  readonly value: string;
  /** Frames since the start of the audio, at the engine's sample rate. Absent when the word was not found. */
  readonly startFrame?: number;
  readonly endFrame?: number;
  /** 0 to 1. Absent when the engine gives none. */
  readonly confidence?: number;
}

export interface AlignOptions {
  /** ISO 639-1 code. Default `en`. */
  readonly language?: string;
  /** Aborting ends the work. */
  readonly signal?: AbortSignal;
}

/** An engine that finds the times of the words of a known text in speech. */
export interface Aligner extends AsyncDisposable {
  readonly name: string;
  /** ISO 639-1 codes. */
  readonly languages: readonly string[];
  /** Sample rate of the audio that it takes, in Hz; audio is mono. */
  readonly sampleRate: number;
  /**
   * Returns the words of the text in order, each with its time where it was found.
   *
   * @throws RxscribeError `engine-missing`, `engine-failed`; the signal's reason
   */
  align(
    audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
    words: readonly string[],
    options?: AlignOptions,
  ): Promise<readonly AlignedWord[]>;
  close(): Promise<void>;
}

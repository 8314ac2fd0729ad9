/** A word of a known text, found in the audio. */
export interface AlignedWord {
  /** As it stands in the text. */
  readonly value: string;
  /** Frames since the start of the audio, at the engine's sample rate; absent when the word was not found. */
  readonly startFrame?: number;
  readonly endFrame?: number;
  /** 0 to 1; absent when the engine gives none. */
  readonly confidence?: number;
}

export interface AlignOptions {
  /** ISO 639-1. Default `en`. */
  readonly language?: string;
  /** Aborting ends the work. */
  readonly signal?: AbortSignal;
}

/** An engine that finds out when the words of a known text are spoken. */
export interface Aligner extends AsyncDisposable {
  readonly name: string;
  /** ISO 639-1 codes. */
  readonly languages: readonly string[];
  /** The rate in Hz that it must be fed at; audio is mono. */
  readonly sampleRate: number;
  /**
   * The words of the text in order, each with its time where it was found.
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

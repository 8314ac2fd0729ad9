/** How sure an engine is of one language. */
export interface LanguageConfidence {
  /** ISO 639-1. */
  readonly language: string;
  /** 0 to 1. */
  readonly confidence: number;
}

/** An engine that tells which language is spoken. */
export interface LanguageIdentifier extends AsyncDisposable {
  readonly name: string;
  /** ISO 639-1 codes that it can tell apart. */
  readonly languages: readonly string[];
  /** The rate in Hz that it must be fed at; audio is mono. */
  readonly sampleRate: number;
  /**
   * Languages with confidences that sum to at most 1, best first. It may read only the beginning of the audio.
   *
   * @throws RxscribeError `engine-missing`, `engine-failed`; the signal's reason
   */
  identify(
    audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly LanguageConfidence[]>;
  close(): Promise<void>;
}

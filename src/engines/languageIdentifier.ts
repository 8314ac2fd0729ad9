/** The confidence that one language is spoken. */
export interface LanguageConfidence {
  /** ISO 639-1 code. */
  readonly language: string;
  /** 0 to 1. */
  readonly confidence: number;
}

/** An engine that identifies the spoken language. */
export interface LanguageIdentifier extends AsyncDisposable {
  readonly name: string;
  /** ISO 639-1 codes of the languages that it distinguishes. */
  readonly languages: readonly string[];
  /** Sample rate of the audio that it takes, in Hz; audio is mono. */
  readonly sampleRate: number;
  /**
   * Returns languages with confidences that sum to at most 1, best first. It may read only the beginning of
   * the audio.
   *
   * @throws RxscribeError `engine-missing`, `engine-failed`; the signal's reason
   */
  identify(
    audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly LanguageConfidence[]>;
  close(): Promise<void>;
}

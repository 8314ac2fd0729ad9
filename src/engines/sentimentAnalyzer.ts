/** An engine that scores the sentiment of sentences. */
export interface SentimentAnalyzer extends AsyncDisposable {
  readonly name: string;
  /** ISO 639-1 codes. */
  readonly languages: readonly string[];
  /**
   * Returns a score from -1 (negative) to 1 (positive) for each sentence, in order.
   *
   * @throws RxscribeError `engine-missing`, `engine-failed`; the signal's reason
   */
  analyze(
    sentences: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly number[]>;
  close(): Promise<void>;
}

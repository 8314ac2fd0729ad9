/** A word to be written: as recognised, with its time where that is known. */
export interface SpokenWord {
  /** Lower case, without marks. */
  readonly value: string;
  /** Seconds. */
  readonly ts?: number;
  readonly endTs?: number;
}

/** What a speaker says without a pause. */
export interface SpokenUtterance {
  readonly words: readonly SpokenWord[];
  /** Words of the same sentence that have been written already. Default: a sentence begins. */
  readonly before?: readonly string[];
  /** What is said next, as far as it is known: of a recording, not of a stream. Empty: nothing, so the sentence ends. */
  readonly after?: readonly SpokenWord[];
  /** No pause follows: where `after` is not known, no mark is put at the end. Default false. */
  readonly goesOn?: boolean;
}

/** A word as it is written. */
export interface WrittenWord {
  /** With its capitals. */
  readonly value: string;
  /** Stands behind it; empty for none. */
  readonly mark: '' | ',' | '.' | '?' | '!';
}

/** An engine that writes sentences: punctuation and capitals. */
export interface Punctuator extends AsyncDisposable {
  readonly name: string;
  /** ISO 639-1 codes. */
  readonly languages: readonly string[];
  /**
   * How each word is written, in order; it changes no word beyond its capitals.
   *
   * @throws RxscribeError `engine-missing`, `engine-failed`; the signal's reason
   */
  punctuate(
    utterance: SpokenUtterance,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly WrittenWord[]>;
  close(): Promise<void>;
}

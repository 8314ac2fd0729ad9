/** A recognised word without punctuation, with its time where known. */
export interface SpokenWord {
  /** Lower case, without marks. */
  readonly value: string;
  /** Seconds. */
  readonly ts?: number;
  readonly endTs?: number;
}

/** Speech without a long pause. */
export interface SpokenUtterance {
  readonly words: readonly SpokenWord[];
  /** Words of the same sentence that are written already. Default: a sentence begins. */
  readonly before?: readonly string[];
  /** The words that follow, where they are known, as in a recording. Empty: the sentence ends here. */
  readonly after?: readonly SpokenWord[];
  /** True when no pause follows: no mark is put at the end unless `after` is known. Default false. */
  readonly goesOn?: boolean;
}

/** A word with its capitals and punctuation. */
export interface WrittenWord {
  /** The word with its capitals. */
  readonly value: string;
  /** The mark after the word, empty for none. */
  readonly mark: '' | ',' | '.' | '?' | '!';
}

/** An engine that adds punctuation and capitals. */
export interface Punctuator extends AsyncDisposable {
  readonly name: string;
  /** ISO 639-1 codes. */
  readonly languages: readonly string[];
  /**
   * Returns each word as it is written, in order. Only capitals change within a word.
   *
   * @throws RxscribeError `engine-missing`, `engine-failed`; the signal's reason
   */
  punctuate(
    utterance: SpokenUtterance,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly WrittenWord[]>;
  close(): Promise<void>;
}

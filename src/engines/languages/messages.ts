/** What the service's process asks of the process that compares languages; it answers once. */
export interface ToLanguageChild {
  /** All speech, mono at 16 kHz. */
  readonly samples: Int16Array;
}

/** What a language's words make of speech. */
export interface HeardWords {
  /**
   * Their fit: the mean weighted log likelihood of 10 ms in words, next to that of the likeliest sounds, at
   * most 0. 0 without words.
   */
  readonly score: number;
  /** How many were heard; noise and music have few. */
  readonly words: number;
}

/** The answer. */
export interface HeardLanguages {
  readonly type: 'heard';
  /** By language. */
  readonly heard: Readonly<Record<string, HeardWords>>;
}

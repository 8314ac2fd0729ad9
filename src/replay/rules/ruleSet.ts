/** Normalizes texts before they are scored. A rule set is pure and total: any text gives words, never an error. */
export interface RuleSet {
  /** Name with version for reports, such as `english-1`. It changes whenever a score could change. */
  readonly name: string;
  /** Description in one line. */
  readonly description: string;
  /** Returns the normalized words of a text. */
  words(text: string): readonly RuledWord[];
}

/** A normalized word and its place in the text. */
export interface RuledWord {
  /** Normalized form. */
  readonly word: string;
  /** Place in the text in UTF-16 code units, `end` exclusive. One place may give several words. */
  readonly start: number;
  readonly end: number;
}

/** How texts are made comparable before they are scored. Pure and total: any text gives tokens, never an error. */
export interface RuleSet {
  /** With its version, to be named in reports: `english-1`. It changes whenever a score could. */
  readonly name: string;
  /** One line for people: what it does. */
  readonly description: string;
  /** The words of a text, as they are compared. */
  words(text: string): readonly RuledWord[];
}

/** One word that is compared. */
export interface RuledWord {
  /** As it is compared. */
  readonly word: string;
  /** Where it stood in the text, in UTF-16 units: start, and end that is not included. One place may give several words. */
  readonly start: number;
  readonly end: number;
}

/** A word of a final, and where it begins in seconds. */
export interface RecognizedWord {
  readonly value: string;
  readonly ts: number;
}
